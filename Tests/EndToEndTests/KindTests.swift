import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Runs over everything that may lie in a folder beside photos.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct KindTests {
  @Test func `H2 J1: what is no photo is left out and counted, and nothing but regular files is opened`() async throws {
    let stage = try RunStage(["good.jpg", "sub/deep/good.jpg"])
    let jpeg = Pictures.small[1]
    for name in [
      ".hidden.jpg", "._x.jpg", ".DS_Store", "Thumbs.db", "@eaDir/thumb.jpg", ".cache/x.jpg", ".AppleDouble/x.jpg",
      "sub/._good.jpg",
    ] {
      try stage.photo(name, jpeg)
    }
    try stage.folder.add([
      .text("in/notes.txt", "no photo"), .file("in/empty", []), .link("in/loop", to: "."),
      .link("in/up", to: "../.."), .link("in/same.jpg", to: "good.jpg"), .link("in/text-link", to: "notes.txt"),
    ])
    try #require(unsafe mkfifo(stage.source + "/pipe.jpg", 0o644) == 0)
    try socket(stage.source + "/socket.jpg")

    let result = try await stage.run("--json")
    #expect(result.exitCode == 0, "\(result)")
    #expect(try stage.paths() == ["good.jpg", "sub/deep/good.jpg"])
    let leftOut = try #require(try result.records().last?["left_out"])
    let expected = [
      "hidden": 2, "apple-double": 3, "ds-store": 1, "thumbs-db": 1, "ea-dir": 1, "not-a-photo": 2,
      "link-to-folder": 2, "link": 2, "fifo": 1, "socket": 1,
    ]
    for (kind, count) in expected { #expect(leftOut[kind]?.integerValue == Int64(count), "\(kind)") }
    #expect(leftOut.objectValue?.count == expected.count, "\(leftOut)")
  }

  @Test func `K3 J1: links named like photos are failed rows, never read, and the others are fine`() async throws {
    let stage = try RunStage(["a.jpg", "z.jpg"])
    // A good photo outside: if it were read, its row would be verified.
    let outside = try stage.folder.file("outside.jpg", Pictures.small[2])
    try stage.folder.add([
      .link("in/dangling.jpg", to: "nowhere.jpg"), .link("in/out.jpg", to: outside),
      .link("in/self.jpg", to: "self.jpg"),
    ])
    try await stage.run(code: 3)
    #expect(try stage.paths() == ["a.jpg", "dangling.jpg", "out.jpg", "self.jpg", "z.jpg"])
    for name in ["dangling.jpg", "out.jpg", "self.jpg"] {
      let row = try stage.row(name)
      #expect(row.status == "failed")
      #expect(row.code == "unreadable")
      #expect(row.message.contains("symbolic link"), "\(row.message)")
      #expect(row["sha256"] == nil && row["bytes"] == nil && row["format"] == nil && row["thumbnails"] == nil)
    }
    #expect(try stage.end().integer("verified") == 2)
  }

  @Test func `H1: the first bytes say what a photo is, and an extension alone makes a row`() async throws {
    let stage = try RunStage()
    try stage.photo("without extension", Pictures.small[0])
    try stage.photo("picture.txt", Pictures.png(9, 9, 9))
    try stage.photo("png.jpg", Pictures.png(9, 9, 9))
    try stage.photo("UPPER.JPG", Pictures.small[0])
    try stage.photo("text.jpg", Array("just words".utf8))
    try stage.photo("empty.jpg", [])
    try stage.photo("gif.gif", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40))
    try stage.photo("plain.txt", Array("just words".utf8))
    try await stage.run(code: 3)
    let rows = try stage.rows().map { "\($0.path) \($0.status) \($0.code ?? "-") \($0.notes.sorted())" }
    expectGolden(
      rows.joined(separator: "\n"),
      is: """
        UPPER.JPG verified - []
        empty.jpg failed empty []
        gif.gif failed unsupported []
        picture.txt verified - ["extension-mismatch"]
        png.jpg verified - ["extension-mismatch"]
        text.jpg failed not-an-image []
        without extension verified - []
        """)
    #expect(try stage.row("gif.gif").text("format") == "gif")
    #expect(try stage.row("empty.jpg").integer("bytes") == 0)
    // The checksum of a file that is no picture is that of its bytes all the same.
    #expect(try stage.row("text.jpg").text("sha256")?.count == 64)
  }

  @Test func `unsupported photos are left out on demand, counted, and the index has no gap`() async throws {
    let stage = try RunStage(["a.jpg", "c.jpg", "e.jpg"])
    for name in ["b.gif", "d.gif"] {
      try stage.photo(name, Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40))
    }
    let result = try await stage.run("--unsupported", "skip", "--json")
    #expect(result.exitCode == 0, "\(result)")
    let rows = try stage.rows()
    #expect(rows.map(\.path) == ["a.jpg", "c.jpg", "e.jpg"])
    #expect(rows.map { $0.integer("index") } == [0, 1, 2])
    #expect(try stage.end().integer("assets") == 3)
    #expect(try result.records().last?["left_out", "unsupported"]?.integerValue == 2)
  }

  @Test func `the output folder inside the source is left out, also on the second run`() async throws {
    let stage = try RunStage(["a.jpg", "b/results/c.jpg"])
    for _ in 0..<2 {
      let result = try await Command(
        BuiltProgram.path, [stage.source, "--output", stage.source + "/b/results", "--json", "--hidden"]
      ).run()
      #expect(result.exitCode == 0, "\(result)")
      #expect(try Facts.rows(of: stage.source + "/b/results").map(\.path) == ["a.jpg"])
      let leftOut = try result.records().last?["left_out"]
      #expect(leftOut?["output-folder"]?.integerValue == 1)
    }
    // What was there before is not ours to touch.
    #expect(try stage.folder.bytes(of: "in/b/results/c.jpg") == Pictures.small[1])
  }

  @Test func `hidden photos are taken on demand, system litter never`() async throws {
    let stage = try RunStage(["a.jpg", ".b.jpg", ".c/d.jpg", "._e.jpg", "@eaDir/f.jpg"])
    try await stage.run(["--hidden"], code: 0)
    #expect(try stage.paths() == [".b.jpg", ".c/d.jpg", "a.jpg"])
  }

  @Test(
    arguments: [
      (["--include", "*.png"], ["b.png", "sub/c.png"]),
      (["--exclude", "sub/**"], ["a.jpg", "b.png"]),
      (["--include", "sub/*", "--include", "a*"], ["a.jpg", "sub/c.png", "sub/d.jpg"]),
      (["--include", "**/*.jpg", "--exclude", "d.jpg"], ["a.jpg", "sub/deep/e.jpg"]),
      (["--exclude", "*"], []),
    ] as [([String], [String])])
  func `globs choose the photos, and exclude wins`(options: [String], expected: [String]) async throws {
    let stage = try RunStage(["a.jpg", "b.png", "sub/c.png", "sub/d.jpg", "sub/deep/e.jpg"])
    try await stage.run(options, code: 0)
    #expect(try stage.paths() == expected)
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `J3: a folder or file that cannot be read is told, ends nothing, and the run says 3`() async throws {
    let stage = try RunStage(["a.jpg", "locked/b.jpg", "secret.jpg", "sub/c.jpg"])
    try stage.openToAll()
    try #require(unsafe chmod(stage.source + "/locked", 0) == 0)
    try #require(unsafe chmod(stage.source + "/secret.jpg", 0) == 0)
    let result = try await Unprivileged.command(stage.command()).run()
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errorText.contains("locked: cannot be opened: Permission denied"), "\(result)")
    #expect(result.errorText.contains("1 folder could not be read"), "\(result)")
    #expect(try stage.paths() == ["a.jpg", "secret.jpg", "sub/c.jpg"])
    #expect(try stage.row("secret.jpg").code == "unreadable")
    #expect(try stage.row("sub/c.jpg").status == "verified")

    try #require(unsafe chmod(stage.source + "/secret.jpg", 0o644) == 0)
    let again = try await Unprivileged.command(stage.command(["--json"])).run()
    #expect(again.exitCode == 3, "an unreadable folder alone is enough: \(again)")
    let records = try again.records()
    #expect(records.contains { $0.text("record") == "message" && $0.text("text")?.contains("locked") == true })
    #expect(records.last?.integer("unreadable_folders") == 1)
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `a source folder that cannot be read at all is no empty folder`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.openToAll()
    try #require(unsafe chmod(stage.source, 0) == 0)
    let result = try await Unprivileged.command(stage.command()).run()
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errorText.contains("Permission denied"), "\(result)")
    #expect(!stage.isOutputMade)
  }

  private func socket(_ path: String) throws {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    try #require(bytes.count <= MemoryLayout.size(ofValue: address.sun_path), "the temporary folder's path is too long")
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
    }
    try #require(status == 0)
  }
}
