import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest
@testable import IngestCommand

/// Follows `--lock` from its word to the code and the words at the end.
@Suite(.timeLimit(.minutes(1))) struct LockOptionTests {
  private static let holder = LockHolder(processID: 4711, host: "na\u{1b}s", started: "2024-07-01T02:17:00Z")

  private static func stage(_ holder: LockHolder? = holder, waited: Duration? = nil) -> Stage {
    Stage(
      engine: ScriptedEngine { _, _ throws(RunError) in
        throw .locked(output: Array("out".utf8), by: holder, waited: waited)
      })
  }

  @Test(arguments: [
    ([], LockPatience.none, false), (["--lock=fail"], .none, false), (["--lock", "skip"], .none, true),
    (["--lock=wait"], .forever, false), (["--lock=wait=0"], .atMost(.zero), false),
    (["--lock=wait=1.5"], .atMost(.milliseconds(1500)), false), (["--cron"], .none, true),
    (["--cron", "--lock=fail"], .none, false), (["--lock=wait=7", "--cron"], .atMost(.seconds(7)), false),
  ])
  func `each word has its meaning, and is stronger than what cron implies`(
    words: [String], patience: LockPatience, isSkipped: Bool
  ) throws {
    let stage = Stage()
    let surroundings = stage.surroundings((["run", "in", "-o", "out"] + words).map { Array($0.utf8) })
    let low = try ArgumentParser(isFolder: surroundings.isFolder).parse(surroundings.arguments)
    let request = try RunRequestReader(surroundings: surroundings).read(low)
    #expect(request.configuration.lockPatience == patience)
    #expect(request.skipsWhenLocked == isSkipped)
  }

  @Test func `a run that finds the folder taken ends with 75 and one line`() {
    let stage = Self.stage()
    #expect(stage.run("run", "in", "-o", "out") == .code(75))
    #expect(
      stage.errors.text
        == "photo-ingest: error: output folder out: another run has it: process 4711 on na\\x1bs, since 2024-07-01T02:17:00Z\n"
    )
  }

  @Test func `a holder without a name, which may only read, and a wait in vain, are put into words`() {
    let stage = Self.stage(nil, waited: .milliseconds(2500))
    #expect(stage.run("run", "in", "-o", "out", "--lock=wait=2.5") == .code(75))
    #expect(
      stage.errors.text
        == "photo-ingest: error: output folder out: another program reads or writes it; waited 2.5 s\n")
  }

  @Test(arguments: [(["--lock=skip"], 1), (["--lock=skip", "--quiet"], 0), (["--cron"], 0), (["--cron", "-v"], 0)])
  func `a skipped run is a good one and says a line at most`(words: [String], lines: Int) {
    let stage = Self.stage()
    let arguments = (["run", "in", "-o", "out"] + words).map { Array($0.utf8) }
    #expect(Command.run(stage.surroundings(arguments)) == .code(0))
    #expect(stage.errors.lines.count == lines)
    #expect(stage.errors.lines.allSatisfy { $0.hasSuffix("nothing was done") })
    #expect(stage.output.text == "")
  }

  @Test func `programs and logs hear of a skipped run too`() {
    let stage = Self.stage()
    #expect(stage.run("run", "in", "-o", "out", "--lock=skip", "--json", "--log-file", "log") == .code(0))
    #expect(stage.output.lines.count == 2)
    #expect(stage.output.lines.last == "{\"exit_code\":0,\"record\":\"summary\"}")
    #expect(stage.log.text.contains("nothing was done\n"))
    #expect(stage.errors.text == "")
  }
}
