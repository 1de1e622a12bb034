import Foundation
import IngestTestSupport
import Testing

@testable import Publishing

/// Signs for an S3 server that checks every signature: OpenStack Swift, which `./dev test` installs.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ServerPrograms.hasObjectStore, "OpenStack Swift is not installed; ./dev test installs it"))
struct S3ServerTests {
  private static let keys = UploadToken.keys(access: "test:tester", secret: "testing", session: nil)
  private static let awkward = [
    "plain.jpg", "a b+(c)!*'.jpg", "é/日本.jpg", "e\u{301}.jpg", "a//b.jpg", "./a/../b.jpg", "q?x=1&y#z.jpg",
    "%20%2F.jpg",
    "~tilde_-.jpg", "quote\"<>\\^`{|}.jpg", ";:@=,$.jpg",
  ]

  private func send(_ request: HTTPRequest?) throws -> HTTPAnswer {
    var request = try #require(request)
    request.allowsHTTP = true
    request.limits.total = .seconds(60)
    return try request.send()
  }

  private func object(_ key: String, _ content: [UInt8]) -> UploadObject {
    UploadObject(
      key: key, sha256: hexText(MessageDigest.sha256.digest(of: content)), bytes: Int64(content.count),
      mediaType: "image/jpeg")
  }

  private func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

  private func signed(
    _ method: String, _ server: ServerProcess, _ path: String, query: [(name: String, value: String)] = []
  ) throws -> HTTPAnswer {
    let host = "127.0.0.1:\(server.port)"
    let signer = S3Signer(S3Credentials(accessKey: "test:tester", secretKey: "testing"), region: "us-east-1")
    var request = HTTPRequest(
      method, "http://\(host)\(path)" + (query.isEmpty ? "" : "?" + S3Signer.queryText(query)))
    request.headers = signer.headers(
      method: method, host: host, path: path, query: query, payload: .empty, at: SigningTime(seconds: now()))
    if method == "PUT" { request.body = HTTPBody([UInt8]()) }
    return try send(request)
  }

  @Test func `a server that checks signatures takes what is signed, and nothing else`() async throws {
    try await onOwnThread {
      let server = try ServerProcess("openstack-swift", ports: 5) { [$1, "\($0)"] }
      let made = try signed("PUT", server, "/photos")
      try #require(made.status == 200, "\(made) \(String(decoding: made.body, as: UTF8.self))")
      try takesEveryKey(server)
      try refusesWhatIsWrong(server)
      try speaksToTheBucketsHost(server)
      try servesTheProgram(server)
    }
  }

  private func target(_ server: ServerProcess, contentNamed: Bool = false) throws -> S3Target {
    try S3Target(
      endpoint: "http://127.0.0.1:\(server.port)", bucket: "photos", region: nil, isContentNamed: contentNamed)
  }

  private func takesEveryKey(_ server: ServerProcess) throws {
    let target = try target(server)
    for (number, key) in Self.awkward.enumerated() {
      let content = Array("content \(number)".utf8)
      let object = object(key, content)
      let moment = UploadMoment(token: Self.keys, now: now())
      #expect(target.judgeQuestion(try send(target.question(object, moment)), object) == .absent, "\(key)")
      let answer = try send(target.upload(object, HTTPBody(content), moment))
      #expect(target.judgeUpload(answer, object) == .sent, "\(key): \(answer)")
      #expect(target.judgeQuestion(try send(target.question(object, moment)), object) == .present, "\(key)")
      // Another content under the key is not taken for this one, though it is as long.
      let other = self.object(key, Array("CONTENT \(number)".utf8))
      #expect(target.judgeQuestion(try send(target.question(other, moment)), other) == .absent, "\(key)")
      let path = try #require(
        S3Place(endpoint: "http://127.0.0.1:\(server.port)", bucket: "photos", key: key, style: .path)?.path)
      let back = try signed("GET", server, path)
      #expect(back.body == content, "\(key)")
      #expect(back.header("Content-Type") == "image/jpeg")
    }
    let listing = try signed(
      "GET", server, "/photos", query: [("prefix", ""), ("list-type", "2"), ("encoding-type", "url")])
    #expect(listing.status == 200)
    let text = String(decoding: listing.body, as: UTF8.self)
    let listed = text.matches(of: /<Key>([^<]*)<\/Key>/).compactMap { String($0.output.1).removingPercentEncoding }
    #expect(Set(listed.map { Array($0.utf8) }) == Set(Self.awkward.map { Array($0.utf8) }))
  }

  private func refusesWhatIsWrong(_ server: ServerProcess) throws {
    let target = try target(server)
    let content = Array("right".utf8)
    let object = object("wrong.jpg", content)
    func verdict(_ token: UploadToken, _ body: [UInt8], at time: Int64? = nil) throws -> UploadVerdict {
      let moment = UploadMoment(token: token, now: time ?? now())
      return target.judgeUpload(try send(target.upload(object, HTTPBody(body), moment)), object)
    }
    #expect(
      try verdict(.keys(access: "test:tester", secret: "other", session: nil), content)
        == .failed(reason: "the server answers 403 SignatureDoesNotMatch"))
    // This server does not say whether it knows a key.
    #expect(
      try verdict(.keys(access: "nobody", secret: "testing", session: nil), content)
        == .failed(reason: "the server answers 403 SignatureDoesNotMatch"))
    #expect(
      try verdict(Self.keys, content, at: now() - 3600)
        == .failed(
          reason: "the server answers 403 RequestTimeTooSkewed: the clock of this machine is more than 15 minutes off"))
    guard case .failed(let reason) = try verdict(Self.keys, Array("wrong".utf8)) else {
      Issue.record("other bytes than those that were signed were taken")
      return
    }
    #expect(reason.hasPrefix("the server answers 400"), "\(reason)")
    let moment = UploadMoment(token: Self.keys, now: now())
    #expect(target.judgeQuestion(try send(target.question(object, moment)), object) == .absent)
    let nowhere = try S3Target(
      endpoint: "http://127.0.0.1:\(server.port)", bucket: "no-such-bucket", region: nil, isContentNamed: true)
    #expect(
      nowhere.judgeUpload(try send(nowhere.upload(object, HTTPBody(content), moment)), object)
        == .failed(reason: "the server answers 404 NoSuchBucket"))
  }

  private func speaksToTheBucketsHost(_ server: ServerProcess) throws {
    // Every name below localhost is this machine (RFC 6761, 6.3).
    let target = try S3Target(
      endpoint: "http://localhost:\(server.port)", bucket: "photos", region: "us-east-1", style: .virtualHost,
      isContentNamed: true)
    let content = Array("by host".utf8)
    let object = object("by host.jpg", content)
    #expect(target.address(of: object.key) == "http://photos.localhost:\(server.port)/by%20host.jpg")
    let moment = UploadMoment(token: Self.keys, now: now())
    #expect(target.judgeUpload(try send(target.upload(object, HTTPBody(content), moment)), object) == .sent)
    #expect(target.judgeQuestion(try send(target.question(object, moment)), object) == .present)
    #expect(try signed("GET", server, "/photos/by%20host.jpg").body == content)
  }
}

extension S3ServerTests {
  private func servesTheProgram(_ server: ServerProcess) throws {
    let output = try PublishedFolder(photos: 5)
    let configuration = """
      {"publish": {"upload": {"kind": "s3", "url": "http://127.0.0.1:\(server.port)", "bucket": "photos", "what": "originals"}}}
      """
    let keys = ["AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"]
    let wrong = try output.publish(
      configuration, ["AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "hush-hush"])
    #expect(wrong.exitCode == 5, "\(wrong)")
    #expect(wrong.errorText.contains("SignatureDoesNotMatch"), "\(wrong)")
    #expect(!wrong.description.contains("hush-hush"))
    let none = try output.publish(configuration, [:])
    #expect(none.exitCode == 5 && none.errorText.contains("$AWS_ACCESS_KEY_ID: the variable is not set"), "\(none)")
    let first = try output.publish(configuration, keys)
    #expect(first.exitCode == 0, "\(first)")
    #expect(try output.statuses() == Array(repeating: "sent", count: 5))
    // Keys as a service of systemd has them; everything is there by now.
    let folder = try TemporaryFolder([
      .text("aws_access_key_id", "test:tester\n"), .text("aws_secret_access_key", "testing\n"),
    ])
    let again = try output.publish(configuration, ["CREDENTIALS_DIRECTORY": folder.path], ["--full"])
    #expect(again.exitCode == 0, "\(again)")
    #expect(try output.statuses() == Array(repeating: "present", count: 5))
  }
}

/// Judges answers that no server of ours can be brought to give.
@Suite(.timeLimit(.minutes(1)))
struct S3TargetTests {
  private let object = UploadObject(key: "k", sha256: String(repeating: "a", count: 64), bytes: 3)

  private func target() throws -> S3Target {
    try S3Target(endpoint: nil, bucket: "photos", region: "eu-central-1", isContentNamed: true)
  }

  private func xml(_ code: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>".utf8)
  }

  @Test(arguments: [
    (400, "ExpiredToken", UploadVerdict.refreshToken(reason: "the server answers 400 ExpiredToken")),
    (403, "RequestExpired", .refreshToken(reason: "the server answers 403 RequestExpired")),
    (400, "RequestTimeout", .retry(reason: "the server answers 400 RequestTimeout")),
    (409, "ConditionalRequestConflict", .retry(reason: "the server answers 409 ConditionalRequestConflict")),
    (503, "SlowDown", .retry(reason: "the server answers 503 SlowDown")),
    (500, "Unknown", .retry(reason: "the server answers 500 Unknown")),
    (501, "NotImplemented", .failed(reason: "the server answers 501 NotImplemented")),
    (403, "AccessDenied", .failed(reason: "the server answers 403 AccessDenied")),
  ])
  func `a refusal is judged by its code`(status: Int, code: String, verdict: UploadVerdict) throws {
    #expect(try target().judgeUpload(HTTPAnswer(status: status, body: xml(code)), object) == verdict)
  }

  @Test func `answers without a code, and of another region, are judged too`() throws {
    let target = try target()
    #expect(target.judgeUpload(HTTPAnswer(status: 502), object) == .retry(reason: "the server answers 502"))
    #expect(target.judgeUpload(HTTPAnswer(status: 401), object) == .failed(reason: "the server answers 401"))
    let elsewhere = HTTPAnswer(
      status: 301, headers: [HTTPHeader("x-amz-bucket-region", "us-west-2")], body: xml("PermanentRedirect"))
    #expect(
      target.judgeUpload(elsewhere, object)
        == .failed(reason: "the server answers 301 PermanentRedirect: the bucket lies in another region"))
  }

  @Test func `what is there is known by its length and its checksum`() throws {
    let named = try target()
    let other = try S3Target(endpoint: nil, bucket: "photos", region: nil, isContentNamed: false)
    func answer(_ length: String, _ sha256: String? = nil) -> HTTPAnswer {
      HTTPAnswer(
        status: 200,
        headers: [HTTPHeader("content-length", length)] + (sha256.map { [HTTPHeader("X-Amz-Meta-Sha256", $0)] } ?? []))
    }
    #expect(named.judgeQuestion(answer("3"), object) == .present)
    #expect(other.judgeQuestion(answer("3"), object) == .absent)
    #expect(other.judgeQuestion(answer("3", object.sha256), object) == .present)
    #expect(named.judgeQuestion(answer("3", "b"), object) == .absent)
    #expect(named.judgeQuestion(answer("2", object.sha256), object) == .absent)
    for status in [301, 400, 403, 404] { #expect(named.judgeQuestion(HTTPAnswer(status: status), object) == .absent) }
    #expect(named.judgeQuestion(HTTPAnswer(status: 503), object) == .retry(reason: "the server answers 503"))
  }

  @Test func `Amazon's buckets stand in the host, those with a dot and those of others in the path`() throws {
    #expect(try target().address(of: "a/b.jpg") == "https://photos.s3.eu-central-1.amazonaws.com/a/b.jpg")
    let dotted = try S3Target(endpoint: nil, bucket: "my.photos", region: nil, isContentNamed: true)
    #expect(dotted.address(of: "k") == "https://s3.us-east-1.amazonaws.com/my.photos/k")
    let own = try S3Target(endpoint: "https://s3.example.org", bucket: "photos", region: nil, isContentNamed: true)
    #expect(own.address(of: "k") == "https://s3.example.org/photos/k")
    for (endpoint, bucket, region) in [
      ("nonsense", "photos", "r"), ("https://h", "x", "r"), ("https://h", "photos", "a b"),
    ] {
      #expect(throws: PublishFault.self) {
        try S3Target(endpoint: endpoint, bucket: bucket, region: region, isContentNamed: true)
      }
    }
  }

  @Test func `nothing is asked without credentials, and no key beyond those of S3`() throws {
    let target = try target()
    #expect(throws: PublishFault.self) { try target.question(object, UploadMoment(token: .none, now: 0)) }
    var long = object
    long.key = String(repeating: "k", count: 1025)
    let token = UploadToken.keys(access: "a", secret: "b", session: nil)
    #expect(throws: PublishFault.self) { try target.question(long, UploadMoment(token: token, now: 0)) }
  }

  @Test func `credentials come from where they are told to, anew each time`() throws {
    func source(_ text: String) -> SecretSource { SecretSource(place: "here") { text } }
    let keys = S3Keys(access: source("AK"), secret: source("SK"), session: source(""))
    #expect(try keys.token(nil, now: 0) == .keys(access: "AK", secret: "SK", session: nil))
    let session = S3Keys(access: source("AK"), secret: source("SK"), session: source("ST"))
    #expect(try session.token(nil, now: 0) == .keys(access: "AK", secret: "SK", session: "ST"))
    for (access, secret) in [("", "SK"), ("AK", ""), ("A K", "SK"), ("AK", "S\nK")] {
      #expect(throws: PublishFault.self) {
        try S3Keys(access: source(access), secret: source(secret)).token(nil, now: 0)
      }
    }
  }
}
