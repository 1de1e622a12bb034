import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct NameListTests {
  private func names(_ bytes: [UInt8], null: Bool = false) throws -> [[UInt8]] {
    try NameList(in: bytes, isNullSeparated: null, list: "list.txt").paths.map(\.bytes)
  }

  @Test(
    arguments: [
      ("", []), ("\n", nil), ("a\nb/c\n", ["a", "b/c"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a\r", "b\r"]),
      ("a\na\n", ["a", "a"]), ("./a\n./b/./c\n", ["a", "b/c"]), ("a..b/..c\n", ["a..b/..c"]),
      (" a \n", [" a "]), ("http:/a\n", ["http:/a"]),
    ] as [(String, [String]?)])
  func `lines are names by their bytes`(list: String, expected: [String]?) throws {
    guard let expected else {
      #expect(throws: UsageError.self) { try names(Array(list.utf8)) }
      return
    }
    #expect(try names(Array(list.utf8)) == expected.map { Array($0.utf8) })
  }

  @Test func `names that NUL separates may hold line feeds and any byte`() throws {
    #expect(try names([0x61, 0x0A, 0xFF, 0x00, 0x62, 0x00], null: true) == [[0x61, 0x0A, 0xFF], [0x62]])
  }

  @Test(arguments: [
    ("a\n/b\n", "list.txt: entry 2, \"/b\": names are relative to FOLDER"),
    ("../b", "list.txt: entry 1, \"../b\": a name cannot hold the part \"..\", which leads out of FOLDER"),
    ("a/../b", "list.txt: entry 1, \"a/../b\": a name cannot hold the part \"..\", which leads out of FOLDER"),
    ("a/..", "list.txt: entry 1, \"a/..\": a name cannot hold the part \"..\", which leads out of FOLDER"),
    ("a//b", "list.txt: entry 1, \"a//b\": a name cannot hold an empty part"),
    ("a/", "list.txt: entry 1, \"a/\": a name cannot hold an empty part"),
    ("a\n\nb", "list.txt: entry 2, \"\": a name cannot be empty"),
    (".", "list.txt: entry 1, \".\": that is FOLDER itself"),
    ("a\u{0}b", "list.txt: entry 1, \"a\\x00b\": a name cannot hold NUL; --null reads lists that NUL separates"),
    (
      "a\nHTTPS://u:secret@x/y.jpg?secret sha256:12\n",
      "list.txt: entry 2, \"HTTPS://...\": behind an address, after one blank, only sha256: and 64 hex digits may stand"
    ),
    ("https:///secret.jpg", "list.txt: entry 1, \"https://...\": the address names no host"),
    (
      "https://x/y?secret=1\nhttps://x/y?secret=2",
      "list.txt: entry 2, \"https://x/y\": another entry has the same address but for its user, its query or its checksum"
    ),
    ("/\u{1B}[2J", "list.txt: entry 1, \"/\\x1b[2J\": names are relative to FOLDER"),
  ])
  func `an entry that leads elsewhere is refused by its number`(list: String, sentence: String) {
    let error = #expect(throws: UsageError.self) { try names(Array(list.utf8)) }
    #expect(error?.sentence == sentence)
  }

  @Test func `addresses and names keep their order, and what is told of them holds no secret`() throws {
    let sum = String(repeating: "Ab", count: 32)
    let text = "HTTP://User:Pass@Host:80/A%20b.jpg?key=word#part sha256:\(sum)\nb.jpg\nhttps://[::1]:8443\nb.jpg\n"
    let list = try NameList(in: Array(text.utf8), isNullSeparated: false, list: "list.txt")
    #expect(list.paths.map(\.display) == ["http://host/A%20b.jpg", "b.jpg", "https://[::1]:8443/", "b.jpg"])
    let first = try #require(list.remoteOriginals[list.paths[0]])
    #expect(first.address == "http://host/A%20b.jpg?key=word")
    #expect(first.user == Array("User:Pass".utf8))
    #expect(first.expectedSHA256 == String(repeating: "ab", count: 32))
    #expect(first.isExposed)
    #expect("\(first) \(String(reflecting: first))" == "http://host/A%20b.jpg http://host/A%20b.jpg")
    #expect(list.remoteOriginals.count == 2)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/a", false), ("http://localhost/a", false), ("http://[::1]/a", false),
    ("http://127.1.2.3/a", false), ("https://example.org/a", false), ("http://example.org/a", true),
    ("http://127.0.0.1.example.org/a", true), ("http://127.0.0.256/a", true), ("http://localhost.example.org/a", true),
    ("http://127.0.0.1@example.org/a", true), ("http://127.0.0.1\\@example.org/a", false),
  ])
  func `only http to another machine goes in the open`(address: String, isExposed: Bool) throws {
    #expect(try RemoteOriginal(entry: Array(address.utf8)).isExposed == isExposed)
  }

  @Test(arguments: [
    "http://", "https://:80/a", "https://a b/", "https://host/a  sha256:00", "https://host/a\tb", "https://ho<st/",
    "https://host/a sha256:" + String(repeating: "g", count: 64), "https://host/a x", "http://user@/a", "http:/a",
  ])
  func `what is no address is refused`(entry: String) {
    #expect(throws: RemoteOriginal.Fault.self) { try RemoteOriginal(entry: Array(entry.utf8)) }
  }

  @Test func `bytes beyond ASCII are sent encoded and shown as they are`() throws {
    let original = try RemoteOriginal(entry: Array("https://host/é.jpg?ü".utf8))
    #expect(original.address == "https://host/%C3%A9.jpg?%C3%BC")
    #expect(original.path.display == "https://host/é.jpg")
  }

  @Test func `the list comes from standard input too`() throws {
    let stage = Stage(files: ["-": Array("x.jpg\u{0}y.jpg\u{0}".utf8)])
    let request = try stage.request("photos", "-o", "out", "--files-from", "-", "-0")
    #expect(request.configuration.listedPaths == [RelativePath("x.jpg"), RelativePath("y.jpg")])
    #expect(
      stage.refusal(["photos", "-o", "out", "--files-from=-"])?.hasPrefix("standard input: entry 1,") == true)
  }
}
