import IngestCore
import IngestTestSupport
import Testing

/// Sends results into streams that cannot take them.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct LostResultsTests {
  /// What is asked for, with the code it ends with while the stream is good: `IN` and `OUT` stand for folders.
  private static let commands: [([String], Int32)] = [
    (["export", "--format", "json", "OUT"], 0), (["run", "IN", "-o", "OUT", "--dry-run"], 0),
    (["run", "IN", "-o", "OUT", "--json"], 3), (["inspect", "IN/a.jpg"], 0), (["inspect", "--json", "IN/x.jpg"], 3),
    (["help"], 0),
  ]

  private func command(_ words: [String], in stage: RunStage) -> Command {
    Command(
      BuiltProgram.path,
      words.map { $0.replacing("IN", with: stage.source).replacing("OUT", with: stage.output) })
  }

  @Test(arguments: commands)
  func `results that a full disk swallowed are no good ending`(words: [String], code: Int32) async throws {
    let stage = try await stage()
    var command = command(words, in: stage)
    let good = try await command.run()
    #expect(good.exitCode == code && !good.output.isEmpty, "\(good)")
    command.output = .file("/dev/full")
    let full = try await command.run()
    #expect(full.exitCode == 1, "\(full)")
    #expect(full.errorText.hasSuffix("error: standard output: cannot be written: No space left on device\n"), "\(full)")
  }

  @Test(arguments: commands)
  func `S10 K5: a reader that went away, or was never there, changes no code`(words: [String], code: Int32) async throws
  {
    let stage = try await stage()
    for output in [Command.Output.readerGone, .closed, .devNull] {
      var command = command(words, in: stage)
      command.output = output
      let result = try await command.run()
      #expect(result.end == .exited(code), "\(output): \(result)")
      #expect(result.errors.isEmpty || words.contains("--dry-run"), "\(output): \(result)")
      command.errors = output
      #expect(try await command.run().end == .exited(code), "\(output)")
    }
    #expect(try stage.end().integer("assets") == 2)
  }

  @Test func `a person who reads through a pipe that closes early gets the first lines and the run goes on`()
    async throws
  {
    let stage = try RunStage((0..<60).map { "\($0).jpg" })
    let result = try await stage.command(["--json"]).piped(into: "head -n 1").run()
    #expect(result.outputText == "{\"count\":60,\"record\":\"scan\"}\n", "\(result)")
    #expect(result.errorText == "0\n", "\(result)")
    #expect(try stage.end().integer("verified") == 60)
  }

  private func stage() async throws -> RunStage {
    let stage = try RunStage(["a.jpg"])
    try stage.photo("x.jpg", Array("words".utf8))
    try await stage.run(code: 3)
    return stage
  }
}

extension Command {
  /// The same command with its output going through another one; its exit code is written to stderr.
  fileprivate func piped(into reader: String) -> Command {
    var wrapped = self
    wrapped.program = "/bin/sh"
    let script = "{ \"$@\"; echo $? >&2; } | \(reader)"
    wrapped.arguments =
      [Array("-c".utf8), Array(script.utf8), Array("sh".utf8), Array(program.utf8)] + arguments
    return wrapped
  }
}
