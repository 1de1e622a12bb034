import Foundation
import IngestTestSupport
import Testing

@testable import Publishing

/// Uploads to a double of Qiniu that judges by Qiniu's own SDK, where `scripts/qiniu-python` can get it.
@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(if: ServerPrograms.python != nil, "there is no python3; ./dev test installs it"))
struct QiniuServerTests {
  private func source(_ text: String) -> SecretSource { SecretSource(place: "here") { text } }

  private func send(_ request: HTTPRequest?) throws -> HTTPAnswer {
    var request = try #require(request)
    request.allowsHTTP = true
    request.limits.total = .seconds(30)
    return try request.send()
  }

  private func object(_ key: String, _ content: [UInt8], _ target: QiniuTarget) throws -> UploadObject {
    var digest = try #require(target.makeDigest())
    digest.update(content)
    return UploadObject(
      key: key, sha256: hexText(MessageDigest.sha256.digest(of: content)), bytes: Int64(content.count),
      mediaType: "image/jpeg", extraDigest: digest.finish())
  }

  @Test func `what is signed and sent is what Qiniu's rules want, and what is stored is held against what was read`()
    async throws
  {
    try await onOwnThread {
      let server = try ServerProcess("qiniu-double", by: ServerPrograms.python, limit: 30) { port, _ in
        ["\(port)", "AK", "SK", "photos"]
      }
      let target = QiniuTarget(url: "http://127.0.0.1:\(server.port)/", isContentNamed: false)
      let now = Int64(Date().timeIntervalSince1970)
      func verdict(
        _ key: String, _ content: [UInt8], secret: String = "SK", bucket: String = "photos", at time: Int64? = nil,
        _ target: QiniuTarget? = nil
      ) throws -> UploadVerdict {
        let used = target ?? QiniuTarget(url: "http://127.0.0.1:\(server.port)/", isContentNamed: false)
        let tokens = try QiniuToken(access: source("AK"), secret: source(secret), bucket: bucket)
        let moment = UploadMoment(token: try tokens.token(nil, now: time ?? now), now: now)
        let object = try object(key, content, used)
        return used.judgeUpload(try send(used.upload(object, HTTPBody(content), moment)), object)
      }
      let small = Array("--photo-ingest-\r\n\r\n--".utf8)
      let large = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      for key in ["a.jpg", "é 日本\r\n\"; name=\"token.jpg", "a:b/c//d.jpg", "%0D%0A", "--"] {
        #expect(try verdict(key, small) == .sent, "\(key)")
      }
      #expect(try verdict("large.jpg", large) == .sent)
      #expect(try verdict("empty.jpg", []) == .sent)
      // Again: nothing is stored twice. Another content is refused.
      #expect(try verdict("a.jpg", small) == .sent)
      #expect(try verdict("a.jpg", [1]) == .failed(reason: "the server answers 614: a file has the key already"))
      #expect(
        try verdict("a.jpg", [1], QiniuTarget(url: "http://127.0.0.1:\(server.port)/", isContentNamed: true))
          == .present)
      #expect(try verdict("b.jpg", small, secret: "other") == .refreshToken(reason: "the server answers 401"))
      #expect(try verdict("b.jpg", small, at: now - 7200) == .refreshToken(reason: "the server answers 401"))
      #expect(try verdict("b.jpg", small, bucket: "other") == .failed(reason: "the server answers 631: no such bucket"))
      #expect(try verdict("late.jpg", small) == .retry(reason: "the server answers 599"))
      #expect(try verdict("late.jpg", small) == .sent)
      guard case .failed(let reason) = try verdict("corrupt.jpg", small) else {
        Issue.record("other bytes than were sent were taken for them")
        return
      }
      #expect(reason.hasPrefix("the server has stored other bytes than were sent"))
      #expect(throws: PublishFault.self) { try verdict(String(repeating: "k", count: 751), small) }
      #expect(throws: PublishFault.self) { try verdict("", small) }

      let stored = try #require(
        JSONSerialization.jsonObject(
          with: Data(try send(HTTPRequest("GET", "http://127.0.0.1:\(server.port)/objects")).body))
          as? [String: [String: Any]])
      #expect(stored["a.jpg"]?["stored"] as? Int == 1)
      #expect(stored["late.jpg"]?["stored"] as? Int == 1)
      #expect(stored["b.jpg"] == nil)
      #expect(stored["large.jpg"]?["hash"] as? String == (try object("large.jpg", large, target)).extraDigest)
      #expect(stored.count == 9)
      let said = server.end().outputText
      #expect(said == "ready (sdk)\n" || said == "ready (documented)\n")
    }
  }

  @Test func `the program publishes to Qiniu with keys from files, and stores each object once`() async throws {
    try await onOwnThread {
      let server = try ServerProcess("qiniu-double", by: ServerPrograms.python, limit: 30) { port, _ in
        ["\(port)", "AK", "hush-hush", "photos"]
      }
      let output = try PublishedFolder(photos: 5)
      let keys = try TemporaryFolder([.text("access", "AK\n"), .text("secret", "hush-hush\n"), .text("other", "x\n")])
      func configuration(_ secret: String) -> String {
        """
        {"publish": {
          "token": {"kind": "qiniu", "bucket": "photos", "access_key_file": "\(keys["access"])",
            "secret_key_file": "\(keys[secret])"},
          "upload": {"kind": "qiniu", "url": "http://127.0.0.1:\(server.port)", "what": "originals", "address": "https://cdn.example.org/{key}"}}}
        """
      }
      let wrong = try output.publish(configuration("other"), [:])
      #expect(wrong.exitCode == 5 && wrong.errorText.contains("401"), "\(wrong)")
      for options in [[], ["--full"]] {
        let result = try output.publish(configuration("secret"), [:], options)
        #expect(result.exitCode == 0, "\(result)")
        #expect(!result.description.contains("hush-hush"))
        #expect(try output.statuses() == Array(repeating: "sent", count: 5))
      }
      let stored = try #require(
        JSONSerialization.jsonObject(
          with: Data(try send(HTTPRequest("GET", "http://127.0.0.1:\(server.port)/objects")).body))
          as? [String: [String: Any]])
      #expect(stored.count == 5)
      #expect(stored.values.allSatisfy { $0["stored"] as? Int == 1 })
    }
  }

  @Test(arguments: [
    (200, #"{"key":"k"}"#, UploadVerdict.failed(reason: "the server answers 200 without a hash of what it has stored")),
    (200, #"{"hash":"H"}"#, .sent), (614, #"{"hash":"H"}"#, .present),
    (573, "", .retry(reason: "the server answers 573")),
    (614, #"{"hash":"G"}"#, .failed(reason: "the server answers 614: another file has the key")),
    (579, "", .failed(reason: "the server answers 579: stored, but the callback of the bucket failed")),
    (400, #"{"error":"incorrect region"}"#, .failed(reason: "the server answers 400: incorrect region")),
    (503, "", .retry(reason: "the server answers 503")),
    (
      200, "not json",
      .failed(
        reason: "the server answers 200 without a hash of what it has stored")
    ),
  ])
  func `answers are judged as Qiniu documents them`(status: Int, body: String, verdict: UploadVerdict) {
    let object = UploadObject(key: "k", sha256: "s", bytes: 1, extraDigest: "H")
    let target = QiniuTarget(url: "https://up.example.org", isContentNamed: false)
    #expect(target.judgeUpload(HTTPAnswer(status: status, body: Array(body.utf8)), object) == verdict)
  }
}
