import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest
@testable import IngestCommand

/// Reads configurations of publishing, good and bad.
@Suite(.timeLimit(.minutes(1)))
struct PublishSettingsTests {
  private func stage(_ text: String, receipts: [PublishReceipt] = []) -> Stage {
    var stage = Stage()
    stage.engine = ScriptedEngine(receipts: receipts)
    stage.files = ["c.json": Array(text.utf8)]
    return stage
  }

  @Test func `everything that the interface names is read`() throws {
    let stage = stage(
      """
      { "jobs": 3, /* for run */ "publish": {
        "token": { "kind": "http", "url": "https://t/x", "method": "GET", "pointer": "/data/token" },
        "upload": { "kind": "http", "url": "https://h/p/{key}", "key": "a/{sha256}.{ext}", "what": "all", "concurrency": 5,
          "header": "Authorization: Bearer {token}", "address": "{url}?w=800", },
        "post": { "url": "https://p/", "method": "PUT", "body": {"c": ["{content}"], "n": 1}, "item": {"u": "{address}"},
          "partial": "mark" } } }
      """)
    #expect(stage.run("publish", "--config", "c.json", "out") == .code(0))
    let read = try #require(stage.engine.lastPublication?.configuration)
    #expect(read.token.kind == .http && read.token.url == "https://t/x" && read.token.method == "GET")
    #expect(read.token.pointer == "/data/token")
    #expect(read.upload.key == "a/{sha256}.{ext}" && read.upload.what == .all && read.upload.concurrency == 5)
    #expect(read.upload.headers == ["Authorization: Bearer {token}"] && read.upload.address == "{url}?w=800")
    #expect(read.post?.method == "PUT" && read.post?.partial == .mark)
    #expect(!read.allowsHTTP)
    #expect(stage.engine.lastPublication?.directory == Array("out".utf8))
  }

  @Test(arguments: [
    ("[]", "an object is wanted"), ("{", "not JSON"), ("{}", "\"publish\": missing"),
    (#"{"publsh": {}}"#, "did you mean \"publish\"?"), (#"{"publish": []}"#, "an object is wanted, not an array"),
    (#"{"publish": {}}"#, "\"publish.upload\": missing"), (#"{"publish": {"uplaod": {}}}"#, "did you mean \"upload\"?"),
    (#"{"publish": {"upload": {}}}"#, "\"upload.url\": missing"),
    (#"{"publish": {"upload": {"url": 3}}}"#, "a string is wanted, not a number"),
    (#"{"publish": {"upload": {"url": "https://h/x"}}}"#, "{key} is missing"),
    (#"{"publish": {"upload": {"url": "https://h/{kye}"}}}"#, "{kye} is no name here"),
    (#"{"publish": {"upload": {"url": "https://h/{key"}}}"#, "a { is not closed"),
    (#"{"publish": {"upload": {"url": "http://h/{key}"}}}"#, "--allow-http"),
    (#"{"publish": {"upload": {"url": "ftp://h/{key}"}}}"#, "an address like https://host/path is wanted"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "concurrency": 0}}}"#, "1 through 64"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "concurrency": "3"}}}"#, "a whole number is wanted"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "what": "none"}}}"#, "one of thumbnails, originals, all"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "kind": "ftp"}}}"#, "one of http, s3, qiniu"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "key": "{name}"}}}"#, "{name} is no name here"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "header": "no colon"}}}"#, "a header is a name"),
    (#"{"publish": {"upload": {"url": "https://h/{key}", "header": "A: {env:X} {y}"}}}"#, "{y} is no name here"),
    (#"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {}}}"#, "\"post.url\": missing"),
    (#"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {"url": "https://p", "body": {}}}}"#, "{content}"),
    (
      #"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {"url": "https://p", "item": 3}}}"#,
      "a string or an object"
    ),
    (
      #"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {"url": "https://p", "item": {"a": "{b}"}}}}"#, "{b}"
    ),
    (
      #"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {"url": "https://p", "partial": "go"}}}"#,
      "one of stop, mark"
    ),
    (#"{"publish": {"upload": {"url": "https://h/{key}"}, "token": {"kind": "http"}}}"#, "token.url"),
    (
      #"{"publish": {"upload": {"url": "https://h/{key}"}, "token": {"kind": "http", "url": "https://t", "pointer": "a"}}}"#,
      "begins with /"
    ),
  ])
  func `what cannot be followed is usage, told with its key, and touches nothing`(text: String, says: String) {
    let stage = stage(text)
    #expect(stage.run("publish", "--config", "c.json", "out") == .code(2))
    #expect(stage.errors.text.contains(says), "\(stage.errors.text)")
    #expect(stage.errors.text.contains("c.json:1"))
    #expect(stage.engine.lastPublication == nil)
  }

  @Test func `an address that may be a secret is in no message`() {
    let stage = stage(#"{"publish": {"upload": {"url": "http://secret/{key}?x=secret"}}}"#)
    #expect(stage.run("publish", "--config", "c.json", "out") == .code(2))
    #expect(!stage.errors.text.contains("secret"))
  }

  @Test func `a photo that is not up is told, and makes exit 5`() {
    let good = PublishReceipt(index: 0, path: RelativePath("a.jpg"), status: .sent, url: "https://h/a")
    let bad = PublishReceipt(
      index: 1, path: RelativePath("b\n.jpg"), status: .failed, error: "the server \u{1B}[31m answers 403")
    let text = #"{"publish": {"upload": {"url": "https://h/{key}"}, "post": {"url": "https://p"}}}"#
    let stage = stage(text, receipts: [good, bad])
    #expect(stage.run("publish", "--config", "c.json", "out") == .code(5))
    #expect(stage.errors.text.contains("b\\n.jpg: not up: the server \\x1b[31m answers 403"))
    #expect(stage.errors.text.contains("2 photos: 1 sent, 1 failed"))
    let quiet = self.stage(text, receipts: [good])
    #expect(quiet.run("publish", "-q", "--config", "c.json", "out") == .code(0))
    #expect(quiet.errors.text.isEmpty)
    let json = self.stage(text, receipts: [bad])
    #expect(json.run("publish", "--json", "--config", "c.json", "out") == .code(5))
    #expect(
      json.output.lines.first
        == #"{"error":"the server \u001b[31m answers 403","index":1,"path":"b\n.jpg","record":"publish","status":"failed"}"#
    )
    #expect(json.errors.text.isEmpty)
  }
}
