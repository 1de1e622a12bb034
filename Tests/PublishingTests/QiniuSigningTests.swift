import Foundation
import Testing

@testable import Publishing

/// Holds tokens, etags and forms against what Qiniu's own SDK makes of the same input.
@Suite(.timeLimit(.minutes(1)))
struct QiniuSigningTests {
  @Test func `the signature of a policy is that of Qiniu's SDK`() {
    // The SDK writes what is not ASCII as an escape; the bytes that are signed are those that are sent.
    let policy =
      #"{"scope":"my-bucket:sun flower/\u00e9.jpg","deadline":1700003600,"insertOnly":1,"#
      + #""returnBody":"{\"key\":$(key),\"hash\":$(etag),\"size\":$(fsize)}"}"#
    let encoded = URLSafeBase64.encode(Array(policy.utf8))
    let signature = MessageDigest.sha1.hmac(key: Array("MY_SECRET_KEY".utf8), Array(encoded.utf8))
    #expect(URLSafeBase64.encode(signature) == "Ko6ql3n-Rr44n0waEza15TjzKmk=")
  }

  @Test func `a token holds key, signature and policy`() {
    let policy = QiniuPutPolicy(
      bucket: "my-bucket", key: "a \"b\".jpg", deadline: 1_700_003_600, returnBody: "{\"key\":$(key)}")
    #expect(
      String(decoding: policy.json, as: UTF8.self)
        == #"{"scope":"my-bucket:a \"b\".jpg","deadline":1700003600,"insertOnly":1,"returnBody":"{\"key\":$(key)}"}"#)
    let token = QiniuCredentials(accessKey: "AK", secretKey: "SK").uploadToken(for: policy)
    let parts = token.split(separator: ":")
    #expect(parts.count == 3)
    #expect(parts[0] == "AK")
    #expect(
      parts[1] == Substring(URLSafeBase64.encode(MessageDigest.sha1.hmac(key: Array("SK".utf8), Array(parts[2].utf8)))))
    #expect(parts[2] == Substring(URLSafeBase64.encode(policy.json)))
    #expect(
      String(decoding: QiniuPutPolicy(bucket: "b", deadline: 7, isInsertOnly: false).json, as: UTF8.self)
        == #"{"scope":"b","deadline":7}"#)
  }

  @Test(arguments: [
    (0, "Fto5o-5ea0sNMlW_75VgGJCv2AcJ"), (1, "FlupPJ2wz_k_UrUh10IOQ_btonhP"),
    (4_194_304, "FtaXAk7ZP_YlMw0FA5Gt6ZzVy92t"), (4_194_305, "lvZaaqqoPggoRo61yE2jdqWTRxML"),
    (8_388_608, "lvfFX88CA4Zj-SHFf7pOcuSoG_3j"),
  ])
  func `the etag is that of Qiniu's SDK however the bytes are cut`(count: Int, etag: String) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for piece in [bytes.count + 1, 1 << 20, 3_000_017] {
      var computed = QiniuEtag()
      for start in stride(from: 0, to: bytes.count, by: piece) {
        computed.update(bytes[start..<min(bytes.count, start + piece)])
      }
      #expect(computed.finish() == etag)
      computed.update([0])
      #expect(computed.finish() == "FlupPJ2wz_k_UrUh10IOQ_btonhP")
    }
  }

  @Test func `HMAC is that of the published examples`() {
    // RFC 2202, test case 2; RFC 4231, test case 2; and the well-known codes of nothing.
    let text = Array("what do ya want for nothing?".utf8)
    #expect(
      hexText(MessageDigest.sha1.hmac(key: Array("Jefe".utf8), text)) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    #expect(
      hexText(MessageDigest.sha256.hmac(key: Array("Jefe".utf8), text))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(hexText(MessageDigest.sha1.hmac(key: [], [])) == "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d")
    #expect(
      hexText(MessageDigest.sha256.hmac(key: [], []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    #expect(hexText(MessageDigest.sha1.digest(of: [])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
  }

  @Test func `names and values cannot break out of their place in a form`() {
    var form = MultipartForm(seed: "0123")
    form.add("key", "a\r\n--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nmine")
    form.setFile("file", fileName: "a\"; name=\"key\r\nX: y.jpg", type: "image/jpeg\r\nX: y")
    let boundary = form.contentType.split(separator: "=")[1]
    let head = String(decoding: form.head, as: UTF8.self)
    #expect(head.components(of: "--" + boundary) == 3)
    #expect(head.contains("filename=\"a%22; name=%22key%0D%0AX: y.jpg\"\r\nContent-Type: image/jpeg%0D%0AX: y\r\n\r\n"))
    #expect(form.tail == Array("\r\n--\(boundary)--\r\n".utf8))
    var other = form
    other.add("more", String(boundary))
    #expect(other.contentType != form.contentType)
  }
}

extension String {
  /// Into how many pieces a word cuts the text.
  fileprivate func components(of word: String) -> Int {
    var count = 1
    var rest = Substring(self)
    while let range = rest.range(of: word) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
