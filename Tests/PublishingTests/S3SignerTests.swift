import Testing

@testable import Publishing

/// Signs what Amazon's documentation signs, and wants the same signatures.
@Suite(.timeLimit(.minutes(1)))
struct S3SignerTests {
  @Test func `a dump of credentials shows no secret`() {
    var text = ""
    dump(S3Credentials(accessKey: "word-one", secretKey: "word-two", sessionToken: "word-three"), to: &text)
    dump(QiniuCredentials(accessKey: "word-four", secretKey: "word-five"), to: &text)
    #expect(!text.contains("word-"))
  }

  private static let signer = S3Signer(
    S3Credentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  private static let host = "examplebucket.s3.amazonaws.com"
  private static let time = SigningTime(seconds: 1_369_353_600)

  private func authorization(_ fields: [HTTPHeader]) -> String? {
    fields.first { $0.name == "Authorization" }?.value
  }

  @Test func `GET of a part of an object is signed as in the documentation`() {
    let fields = Self.signer.headers(
      method: "GET", host: Self.host, path: "/test.txt", signing: [HTTPHeader("Range", "bytes=0-9")], payload: .empty,
      at: Self.time)
    #expect(
      authorization(fields)
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(fields.contains(HTTPHeader("x-amz-date", "20130524T000000Z")))
  }

  @Test func `PUT of an object with a key that needs encoding is signed as in the documentation`() {
    let place = S3Place(
      endpoint: "https://s3.amazonaws.com", bucket: "examplebucket", key: "test$file.text", style: .virtualHost)
    #expect(place?.host == Self.host)
    #expect(place?.path == "/test%24file.text")
    let body = MessageDigest.sha256.digest(of: Array("Welcome to Amazon S3.".utf8))
    let fields = Self.signer.headers(
      method: "PUT", host: Self.host, path: place?.path ?? "",
      signing: [
        HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"), HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ],
      payload: .sha256(hexText(body)), at: Self.time)
    #expect(
      authorization(fields)?.hasSuffix(
        "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,"
          + "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
  }

  @Test func `queries without and with values are signed as in the documentation`() {
    let lifecycle = Self.signer.headers(
      method: "GET", host: Self.host, path: "/", query: [("lifecycle", "")], payload: .empty, at: Self.time)
    #expect(
      authorization(lifecycle)?.hasSuffix("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543") == true)
    let list = Self.signer.headers(
      method: "GET", host: Self.host, path: "/", query: [("prefix", "J"), ("max-keys", "2")], payload: .empty,
      at: Self.time)
    #expect(authorization(list)?.hasSuffix("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
  }

  @Test func `a session token is sent and signed`() {
    var signer = Self.signer
    signer.credentials.sessionToken = "tok/en=="
    let fields = signer.headers(method: "GET", host: Self.host, path: "/", payload: .unsigned, at: Self.time)
    #expect(fields.contains(HTTPHeader("x-amz-security-token", "tok/en==")))
    #expect(fields.contains(HTTPHeader("x-amz-content-sha256", "UNSIGNED-PAYLOAD")))
    #expect(authorization(fields)?.contains("x-amz-date;x-amz-security-token,") == true)
  }

  @Test func `credentials do not show themselves`() {
    let credentials = S3Credentials(accessKey: "open", secretKey: "word", sessionToken: "sesame")
    let qiniu = QiniuCredentials(accessKey: "open", secretKey: "word")
    for text in ["\(credentials)", String(reflecting: credentials), "\(qiniu)", String(reflecting: qiniu)] {
      #expect(!text.contains("word") && !text.contains("sesame") && !text.contains("open"))
    }
  }

  @Test(
    arguments: [
      (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
      (1_709_251_199, "20240229T235959Z"), (4_107_542_400, "21000301T000000Z"), (253_402_300_799, "99991231T235959Z"),
      (-5, "19700101T000000Z"), (.max, "99991231T235959Z"),
    ] as [(Int64, String)])
  func `times are spelled in UTC, leap days included`(seconds: Int64, text: String) {
    #expect(SigningTime(seconds: seconds).basic == text)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct S3PlaceTests {
  @Test(arguments: [
    ("a b+(1)!*'.jpg", "/pics/a%20b%2B%281%29%21%2A%27.jpg"), ("é/日本.jpg", "/pics/%C3%A9/%E6%97%A5%E6%9C%AC.jpg"),
    ("e\u{301}.jpg", "/pics/e%CC%81.jpg"), ("a//b/./../c", "/pics/a//b/./../c"),
    ("?&#%20~-._", "/pics/%3F%26%23%2520~-._"),
    ("\n\u{0}", "/pics/%0A%00"),
  ])
  func `each byte of a key is encoded once and nothing is tidied`(key: String, path: String) {
    let place = S3Place(endpoint: "http://127.0.0.1:9000/", bucket: "pics", key: key, style: .path)
    #expect(place?.path == path)
    #expect(place?.host == "127.0.0.1:9000")
    #expect(place?.address == "http://127.0.0.1:9000" + path)
  }

  @Test func `the usual port is no part of the host, another one is, and a prefix stays`() {
    let usual = S3Place(endpoint: "HTTPS://S3.Example.ORG:443/sub/", bucket: "b-1", key: "k", style: .virtualHost)
    #expect(usual?.address == "https://b-1.s3.example.org/sub/k")
    let other = S3Place(endpoint: "https://s3.example.org:8443", bucket: "b-1", key: "k", style: .virtualHost)
    #expect(other?.host == "b-1.s3.example.org:8443")
  }

  @Test(arguments: [
    ("ftp://host", "bucket", "k"), ("https://", "bucket", "k"), ("https://user:word@host", "bucket", "k"),
    ("https://ho st", "bucket", "k"), ("https://host?x", "bucket", "k"), ("https://host", "b", "k"),
    ("https://host", "bu/cket", "k"), ("https://host", "..%2f", "k"), ("https://host", "...", "k"),
    ("https://host", "bucket", ""), ("https://host", "bucket", String(repeating: "k", count: 1025)),
    ("https://host\r\nx: y", "bucket", "k"),
  ])
  func `what cannot be a place is none`(endpoint: String, bucket: String, key: String) {
    #expect(S3Place(endpoint: endpoint, bucket: bucket, key: key, style: .path) == nil)
  }

  @Test func `a bucket that cannot be part of a host is only for paths`() {
    for bucket in ["Bucket", "my_bucket"] {
      #expect(S3Place(endpoint: "https://host", bucket: bucket, key: "k", style: .virtualHost) == nil)
      #expect(S3Place(endpoint: "https://host", bucket: bucket, key: "k", style: .path) != nil)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct S3RefusalTests {
  private func code(_ text: String) -> String? { S3Refusal(body: Array(text.utf8))?.code }

  @Test func `of the answer only the code is read`() {
    #expect(
      code(
        "<?xml version=\"1.0\"?><Error><Code>ExpiredToken</Code><Message>The <b>token</b></Message></Error>")
        == "ExpiredToken")
    #expect(
      code("<Error><Message>x</Message><Code>InvalidRequest.Special1</Code></Error>") == "InvalidRequest.Special1")
    for text in [
      "", "<Code>", "<Code></Code>", "<Code>Two Words</Code>", "<Code>a</code>", "<Code>\u{1b}[31m</Code>", "<html>",
      "<Code>" + String(repeating: "a", count: 65) + "</Code>", String(repeating: " ", count: 5000) + "<Code>a</Code>",
    ] { #expect(code(text) == nil) }
  }

  @Test(arguments: [
    ("ExpiredToken", S3Refusal.Remedy.renewCredentials), ("RequestTimeTooSkewed", .setClock), ("SlowDown", .wait),
    ("RequestTimeout", .wait), ("ConditionalRequestConflict", .wait), ("SignatureDoesNotMatch", .none),
    ("NoSuchBucket", .none), ("Whatever", .none),
  ])
  func `what helps depends on the code`(code: String, remedy: S3Refusal.Remedy) {
    #expect(S3Refusal(code: code).remedy == remedy)
  }
}
