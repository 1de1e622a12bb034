import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct NameListTests {
  private func names(_ bytes: [UInt8], null: Bool = false) throws -> [[UInt8]] {
    try NameList.paths(in: bytes, isNullSeparated: null, list: "list.txt").map(\.bytes)
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
    ("a\nHTTPS://x/y.jpg\n", "list.txt: entry 2: an http address is not available yet in this version"),
    ("/\u{1B}[2J", "list.txt: entry 1, \"/\\x1b[2J\": names are relative to FOLDER"),
  ])
  func `an entry that leads elsewhere is refused by its number`(list: String, sentence: String) {
    let error = #expect(throws: UsageError.self) { try names(Array(list.utf8)) }
    #expect(error?.sentence == sentence)
  }

  @Test func `the list comes from standard input too`() throws {
    let stage = Stage(files: ["-": Array("x.jpg\u{0}y.jpg\u{0}".utf8)])
    let request = try stage.request("photos", "-o", "out", "--files-from", "-", "-0")
    #expect(request.configuration.listedPaths == [RelativePath("x.jpg"), RelativePath("y.jpg")])
    #expect(
      stage.refusal(["photos", "-o", "out", "--files-from=-"])?.hasPrefix("standard input: entry 1,") == true)
  }
}
