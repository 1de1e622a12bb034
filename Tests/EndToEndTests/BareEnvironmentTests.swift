import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Runs the program as cron and service managers do: with next to nothing around it.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct BareEnvironmentTests {
  private func stage() throws -> RunStage {
    let stage = try RunStage(["caf\u{e9}.jpg", "b.jpg"])
    try stage.photo([0xe9, 0x2e, 0x6a, 0x70, 0x67], Pictures.small[3])
    try stage.photo("x\u{e9}.jpg", Array("words".utf8))
    return stage
  }

  @Test(arguments: [[:], ["LC_ALL": "C", "PATH": "/usr/bin"], ["LC_ALL": "xx_YY.nothing", "HOME": "/nonexistent"]])
  func `K5: without environment, locale and home the bytes are the same and words are UTF-8`(
    environment: [String: String]
  ) async throws {
    let stage = try stage()
    try await stage.run(["-v"], code: 3)
    let usual = try FolderState.ofOutput(stage.output)
    var command = stage.command(["-v"])
    command.environment = environment
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errorText.utf8.elementsEqual(result.errors), "stderr is valid UTF-8")
    #expect(result.errorText.contains("verified caf\u{e9}.jpg\n"), "\(result)")
    #expect(try FolderState.ofOutput(stage.output).differences(from: usual) == [])
  }

  @Test func `K5: closed standard streams are not taken by files of the run`() async throws {
    let stage = try stage()
    try await stage.run(code: 3)
    let usual = try FolderState.ofOutput(stage.output)
    for redirection in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
      let other = try RunStage()
      try other.folder.add([.link("src", to: stage.source)])
      let command = Command(BuiltProgram.path, ["run", stage.source, "-o", other.output, "-v"])
        .after("exec \(redirection)")
      let result = try await command.run()
      #expect(result.exitCode == 3, "\(redirection): \(result)")
      #expect(result.output.isEmpty)
      #expect(try FolderState.ofOutput(other.output).contents == usual.contents, "\(redirection)")
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `K5: a current folder that may not be read, or is gone, is none of its business`() async throws {
    let stage = try stage()
    try stage.folder.add([.folder("locked", []), .folder("gone", []), .folder("out", [])])
    try stage.openToAll()
    var locked = stage.command()
    locked.workingFolder = stage.folder["locked"]
    // The shell stays where it is when the rights go away.
    locked = Unprivileged.command(locked.after("chmod 0 ."))
    if geteuid() == 0 { try #require(unsafe chown(stage.folder["locked"], 65_534, 65_534) == 0) }
    let result = try await locked.run()
    #expect(result.exitCode == 3, "\(result)")
    #expect(try stage.end().integer("verified") == 3)

    var gone = stage.command()
    gone.workingFolder = stage.folder["gone"]
    let second = try await gone.after("rmdir ../gone").run()
    #expect(second.exitCode == 3, "\(second)")
  }

  /// What cron, containers and service managers leave out, each alone.
  enum Want: String, CaseIterable, Sendable {
    case nothing, home, path, locale, terminal, temporaryFolder, descriptors, input, output, allStreams, rights,
      currentFolder
  }

  @Test(arguments: Want.allCases)
  func `K5: twelve surroundings of an unattended run, one result`(want: Want) async throws {
    let stage = try stage()
    try await stage.run(["-j", "8"], code: 3)
    let usual = try FolderState.ofOutput(stage.output)
    try FileManager.default.removeItem(atPath: stage.output)
    var command = stage.command(["-j", "8"])
    command.environment = [
      "HOME": "/root", "LOGNAME": "root", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      "TMPDIR": "/tmp", "TERM": "xterm",
    ]
    var mask: UInt32 = 0o022
    switch want {
    case .nothing: command.environment = [:]
    case .home: command.environment["HOME"] = nil
    case .path: command.environment["PATH"] = nil
    case .locale:
      command.environment["LANG"] = nil
      command.environment["LC_ALL"] = "POSIX"
    case .terminal: command.environment["TERM"] = nil
    case .temporaryFolder: command.environment["TMPDIR"] = "/nonexistent"
    case .descriptors: command = command.after("ulimit -n 64")
    case .input: command = command.after("exec <&-")
    case .output: command = command.after("exec >&-")
    case .allStreams: command = command.after("exec <&- >&- 2>&-")
    case .rights:
      mask = 0o077
      command = command.after("umask 077")
    case .currentFolder:
      try stage.folder.add([.folder("gone", [])])
      command.workingFolder = stage.folder["gone"]
      command = command.after("rmdir ../gone")
    }
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)")
    let now = try FolderState.ofOutput(stage.output)
    #expect(now.contents == usual.contents)
    for (name, entry) in now.entries {
      #expect(entry.mode & 0o777 & mask == 0, "\(String(decoding: name, as: UTF8.self))")
    }
    #expect(!result.errors.contains(0x0D) && !result.errors.contains(0x1B))
  }

  @Test func `relative folders are those of the current folder`() async throws {
    let stage = try stage()
    var command = Command(BuiltProgram.path, ["run", "in", "-o", "deep/er/out"])
    command.workingFolder = stage.folder.path
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)")
    #expect(try Facts.rows(of: stage.folder["deep/er/out"]).count == 4)
  }

  @Test func `settings come from the file, the environment over it, and options over both`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try stage.folder.file(
      "config.json",
      Array(
        "// mine\n{\"folders\": [\"\(stage.source)\"], \"thumbnail\": [32, 48], \"order\": \"size\", \"jobs\": 1}".utf8)
    )
    var command = Command(
      BuiltProgram.path, ["run", "--config", stage.folder["config.json"], "-o", stage.output, "--thumbnail", "40"])
    command.environment["PHOTO_INGEST_ORDER"] = "modified"
    let result = try await command.run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Facts.lines(of: stage.output + "/manifest.jsonl").first?.text("order") == "modified")
    #expect(try stage.row("a.jpg").thumbnails.map { $0.integer("size") } == [40])
  }
}
