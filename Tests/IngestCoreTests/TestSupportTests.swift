import Foundation
import IngestTestSupport
import Testing

/// Holds the tests' own tools to what they promise: a tool that lies hides faults.
@Suite(.timeLimit(.minutes(1))) struct TestSupportTests {
  static func shell(_ script: String, input: [UInt8] = [], timeLimit: Double = 20) -> Command {
    Command("/bin/sh", ["-c", script], input: input, timeLimit: timeLimit)
  }

  @Test func `arguments arrive as bytes`() async throws {
    let odd: [UInt8] = [0x61, 0xff, 0xfe, 0x0a, 0x20, 0x62]
    let result = try await Command("/usr/bin/printf", [Array("%s".utf8), odd]).run()
    #expect(result.output == odd)
    #expect(result.end == .exited(0))
  }

  @Test func `exit codes, signals and streams are told apart`() async throws {
    let exit = try await Self.shell("echo out; echo err >&2; exit 75").run()
    #expect(exit.exitCode == 75)
    #expect(exit.outputText == "out\n")
    #expect(exit.errorText == "err\n")
    let killed = try await Self.shell("kill -TERM $$").run()
    #expect(killed.signal == SIGTERM)
    #expect(killed.exitCode == nil)
  }

  @Test func `a large input and a large output cross without a deadlock`() async throws {
    let input = [UInt8](repeating: 0x78, count: 3_000_000)
    let result = try await Command("/bin/cat", input: input).run()
    #expect(result.output == input)
  }

  @Test func `a program that does not read its input is no failure of the tests`() async throws {
    let result = try await Self.shell("exit 3", input: [UInt8](repeating: 0, count: 1_000_000)).run()
    #expect(result.exitCode == 3)
  }

  @Test func `environment and working folder are those that were given`() async throws {
    let folder = try TemporaryFolder()
    var command = Self.shell("pwd; env | grep -c HOME; echo $MARK")
    command.environment["MARK"] = "here"
    command.workingFolder = folder.path
    #expect(try await command.run().outputText == "\(folder.path)\n0\nhere\n")
  }

  @Test func `a program that hangs is killed at the time limit`() async throws {
    // Its streams are closed, so only the time limit can end this.
    let result = try await Self.shell("exec >&- 2>&-; kill -STOP $$", timeLimit: 0.3).run()
    #expect(result.end == .timedOut)
  }

  @Test func `a reader that is gone gives a broken pipe`() async throws {
    var command = Self.shell("trap '' PIPE; echo text || echo refused >&2")
    command.output = .readerGone
    #expect(try await command.run().errorText.contains("refused"))
  }

  @Test func `a running program can be signalled once it has spoken`() async throws {
    let running = try Self.shell("trap 'echo caught; exit 9' INT; echo ready; while :; do :; done").start()
    let result = await onOwnThread {
      running.waitForText("ready")
      running.send(SIGINT)
      return running.finish()
    }
    #expect(result.outputText == "ready\ncaught\n")
    #expect(result.exitCode == 9)
  }

  @Test func `a program that does not exist is an error with its name`() async {
    await #expect(throws: SpawnFailure.self) { try await Command("/nonexistent/program").run() }
  }

  @Test func `a temporary folder is made, filled and removed, also without rights`() throws {
    var folder: TemporaryFolder? = try TemporaryFolder([
      .folder("a", [.text("b.txt", "b"), .folder("closed", [.file("c", [1])])]), .link("l", to: "a/b.txt"),
    ])
    let path = try #require(folder?.path)
    #expect(folder?.listing() == ["a/", "a/b.txt", "a/closed/", "a/closed/c", "l"])
    #expect(try folder?.bytes(of: "l") == [0x62])
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(path)/a/closed")
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a file's name may be any bytes`() throws {
    let folder = try TemporaryFolder()
    try folder.file(named: [0x64, 0x2f, 0xff, 0x2e, 0x6a], [7, 8])
    #expect(try folder.namesAsBytes(in: "d") == [[0xff, 0x2e, 0x6a]])
  }

  @Test func `a difference is shown line by line and bytes decide`() {
    #expect(textDifference(expected: "a\nb\n", actual: "a\nb\n") == nil)
    let shown = textDifference(expected: "a\nb\nc\n", actual: "a\nB \nc\n")
    #expect(shown == "--- expected (6 bytes)   +++ actual (7 bytes)\n  a\n- b\n+ B\\x20\n  c\n  ")
    #expect(textDifference(expected: "\u{e9}", actual: "e\u{301}") != nil)
    #expect(textDifference(expected: "a\r\n", actual: "a\n")?.contains("- a\\x0d") == true)
  }

  @Test(.enabled(if: SharedMaterial.isAvailable, "the shared fixtures are not beside the project"))
  func `fixtures are found`() {
    #expect(FileManager.default.fileExists(atPath: SharedMaterial.fixture("plain.png")))
  }
}
