import IngestCore
import IngestTestSupport
import Testing

/// Feeds names to `--files-from` instead of letting the program scan.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ListedNamesTests {
  @Test func `a list from a file is taken in its order, a repeated name once`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg", "sub/c.jpg", "unlisted.jpg"])
    try stage.folder.file("list", Array("sub/c.jpg\nb.jpg\n./sub/c.jpg\na.jpg\nb.jpg".utf8))
    try await stage.run(["--files-from", stage.folder["list"], "--order", "list"], code: 0)
    #expect(try stage.paths() == ["sub/c.jpg", "b.jpg", "a.jpg"])
    #expect(try Facts.lines(of: stage.output + "/manifest.jsonl").first?.text("order") == "list")
  }

  @Test func `a list without an order of its own is sorted by name`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg", "c.jpg"])
    try stage.folder.file("list", Array("c.jpg\na.jpg\n".utf8))
    try await stage.run(["--files-from", stage.folder["list"]], code: 0)
    #expect(try stage.paths() == ["a.jpg", "c.jpg"])
  }

  @Test func `a list from standard input that NUL separates holds any name`() async throws {
    let stage = try RunStage()
    let names = [Array("nl\n.jpg".utf8), [0xe9, 0x2e, 0x6a, 0x70, 0x67], Array("cr\r".utf8)]
    for name in names { try stage.photo(name, Pictures.small[0]) }
    var command = stage.command(["--files-from", "-", "-0", "--order", "list"])
    command.input = Array(names.joined(separator: [0])) + [0]
    let result = try await command.run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(try stage.rows().map(\.exactPath) == names)
  }

  @Test func `a listed name that is not there has a vanished row, and links and odd kinds are not opened`() async throws
  {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([
      .link("in/out.jpg", to: "/etc/hostname"), .folder("in/sub", []), .text("in/notes.txt", "no photo"),
      .link("in/linked", to: "sub"),
    ])
    try stage.photo("sub/b.jpg")
    var command = stage.command(["--files-from", "-", "--order", "list", "--json"])
    command.input = Array("gone.jpg\na.jpg\nout.jpg\nsub\nnotes.txt\nlinked/b.jpg\ngone/x.jpg\n".utf8)
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)")
    let rows = try stage.rows()
    #expect(rows.map(\.path) == ["gone.jpg", "a.jpg", "out.jpg", "linked/b.jpg", "gone/x.jpg"])
    #expect(rows.map(\.code) == ["vanished", nil, "unreadable", "unreadable", "vanished"])
    let leftOut = try result.records().last?["left_out"]
    #expect(leftOut?["folder"]?.integerValue == 1)
    #expect(leftOut?["not-a-photo"]?.integerValue == 1)
  }

  @Test(arguments: ["/etc/hostname", "../in/a.jpg", "sub/../../x.jpg", "", "a.jpg\n\nb.jpg"])
  func `a list that leads out of the folder or holds no name is refused before anything is made`(entry: String)
    async throws
  {
    let stage = try RunStage(["a.jpg"])
    var command = stage.command(["--files-from", "-"])
    command.input = Array("a.jpg\n\(entry)\n".utf8)
    let result = try await command.run()
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errorText.contains("standard input: entry"), "\(result)")
    #expect(!stage.isOutputMade)
  }

  @Test func `a list that cannot be read is a usage error, and --order list needs one`() async throws {
    let stage = try RunStage(["a.jpg"])
    let missing = try await stage.run("--files-from", stage.folder["nothing"])
    #expect(missing.exitCode == 2, "\(missing)")
    #expect(missing.errorText.contains("No such file or directory"))
    let order = try await stage.run("--order", "list")
    #expect(order.exitCode == 2, "\(order)")
    #expect(order.errorText.contains("--files-from"))
    #expect(!stage.isOutputMade)
  }

  @Test func `an empty list is a good run without photos`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--files-from", "/dev/null"], code: 0)
    #expect(try stage.end().integer("assets") == 0)
  }

  @Test func `an empty list does not empty an archive, nor does a standard input that is closed`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    let before = try FolderState.ofOutput(stage.output)
    let prune = ["--originals", "copy", "--prune"]
    for selection in [["--files-from", "/dev/null"], ["--include", "*.JPG"], ["--files-from", "-"]] {
      try await stage.run(prune + selection, code: 1)
      #expect(try FolderState.ofOutput(stage.output).differences(from: before) == [])
    }
    let closed = try await stage.command(prune + ["--files-from", "-"]).after("exec <&-").run()
    #expect(closed.end == .exited(2) && closed.errorText.contains("standard input: cannot be read"), "\(closed)")
    #expect(try FolderState.ofOutput(stage.output).differences(from: before) == [])
    // A selection that leaves some photo is taken at its word.
    try await stage.run(prune + ["--include", "a*"], code: 0)
    #expect(try FolderState(of: stage.output + "/originals").files.count == 1)
  }
}
