import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest
@testable import IngestCommand

/// Listens to runs that cron started: silence, or the whole story.
@Suite(.timeLimit(.minutes(1))) struct CronTests {
  private static func stage(
    problems: [RowSummary] = [], changed: Bool, terminal: Bool = false, isJournal: Bool = false,
    gaugeError: RunError? = nil
  ) -> Stage {
    Stage(
      errors: Recorder(terminal: terminal ? 80 : nil, isJournal: isJournal),
      engine: ScriptedEngine(gaugeError: gaugeError) { _, report in
        report(.scanned(count: 4))
        report(.message(.warning, "a word of warning"))
        report(.progressed(finished: 1, of: 4, path: RelativePath("a.jpg"), status: .verified))
        var summary = RunSummary.sample(problems: problems)
        summary.problemsChanged = changed
        return summary
      })
  }

  @Test(arguments: [(false, [], 0), (true, [], 0), (false, [RowSummary.cut], 3), (true, [.cut, .text], 3)])
  func `nothing new is nothing said, whatever the exit code`(terminal: Bool, problems: [RowSummary], code: Int32) {
    let stage = Self.stage(problems: problems, changed: false, terminal: terminal)
    #expect(stage.run("run", "in", "-o", "out", "--cron") == .code(code))
    #expect(stage.errors.bytes == [])
    #expect(stage.output.bytes == [])
  }

  @Test func `other photos than last time are worth the whole story, warnings of the run first`() {
    let stage = Self.stage(problems: [.cut], changed: true)
    #expect(stage.run("run", "in", "-o", "out", "--cron") == .code(3))
    #expect(stage.errors.lines.prefix(2) == ["warning: a word of warning", "4 photos: 3 verified, 1 damaged"])
    #expect(stage.errors.text.contains("holiday/IMG_7.jpg: the file ends before the image does"))
    #expect(stage.output.bytes == [])
  }

  @Test(arguments: [[], [RowSummary.cut]])
  func `gauges that cannot be written are worth the whole story, and 1 goes before 3`(problems: [RowSummary]) {
    let error = RunError.outputUnusable(.missing(Array("photo-ingest.prom".utf8)))
    let stage = Self.stage(problems: problems, changed: false, gaugeError: error)
    #expect(stage.run("run", "in", "-o", "out", "--cron", "--manifest", "prometheus") == .code(1))
    #expect(stage.errors.text.contains("photo-ingest.prom"), "\(stage.errors.text)")
  }

  @Test func `gauges that are another run's to write change no exit code`() {
    let error = RunError.locked(output: Array("out".utf8), by: nil, waited: nil)
    let stage = Self.stage(problems: [.cut], changed: false, gaugeError: error)
    #expect(stage.run("run", "in", "-o", "out", "--cron", "--manifest", "prometheus") == .code(3))
    #expect(stage.errors.bytes == [])
    #expect(stage.run("run", "in", "-o", "out", "--manifest", "prometheus") == .code(3))
    #expect(stage.errors.text.contains("photo-ingest.prom is left to another program"))
  }

  @Test func `good news is news too`() {
    let stage = Self.stage(changed: true)
    #expect(stage.run("run", "in", "-o", "out", "--cron") == .code(0))
    #expect(stage.errors.lines.contains("3 photos, all verified"))
  }

  @Test func `a run that did not complete says why`() {
    let stage = Stage(
      engine: ScriptedEngine { _, report throws(RunError) in
        report(.message(.warning, "a word of warning"))
        throw .sourceUnusable(.missing(Array("in".utf8)))
      })
    #expect(stage.run("run", "in", "-o", "out", "--cron") == .code(1))
    #expect(
      stage.errors.lines == [
        "warning: a word of warning",
        "photo-ingest: error: source folder in: cannot be opened: No such file or directory",
      ])
  }

  @Test func `a mistyped option is told at once`() {
    let stage = Stage()
    #expect(stage.run("run", "in", "-o", "out", "--cron", "--jbos", "3") == .code(2))
    #expect(stage.errors.lines.count == 1)
  }

  @Test func `a very long story is cut at its beginning and says so`() {
    let stage = Stage(
      engine: ScriptedEngine { _, report in
        for number in 0..<1000 { report(.message(.warning, "number \(number)")) }
        var summary = RunSummary.sample()
        summary.problemsChanged = true
        return summary
      })
    #expect(stage.run("run", "in", "-o", "out", "--cron") == .code(0))
    #expect(stage.errors.lines.first == "(800 earlier messages are left out)")
    #expect(stage.errors.lines.dropFirst().first == "warning: number 800")
    #expect(stage.errors.lines.contains("3 photos, all verified"))
  }

  @Test func `a dry run is asked for by somebody who is there`() {
    let stage = Stage(engine: ScriptedEngine(candidates: [RelativePath("a.jpg")]))
    #expect(stage.run("run", "in", "-o", "out", "--cron", "-n") == .code(0))
    #expect(stage.output.text == "a.jpg\n")
  }

  @Test func `a run without memory of the last one has something to say while a photo is not verified`() {
    #expect(RunSummary.sample().problemsChanged == false)
    #expect(RunSummary.sample(problems: [.cut]).problemsChanged)
    #expect(RunSummary.sample(unreadableFolders: 1).problemsChanged)
  }

  @Test(arguments: [([], 0), (["--cron"], 2), (["--cron", "--min-age=0"], 0), (["--min-age=7", "--cron"], 7)])
  func `files that somebody may still be copying are left for last at night`(words: [String], seconds: Int) throws {
    let stage = Stage()
    #expect(Command.run(stage.surroundings((["run", "in", "-o", "out"] + words).map { Array($0.utf8) })) == .code(0))
    #expect(stage.engine.configuration?.minimumAge == .seconds(seconds))
  }

  // MARK: The journal, the log

  @Test func `the journal is told how urgent each line is`() {
    let stage = Self.stage(problems: [.cut], changed: true, isJournal: true)
    #expect(stage.run("run", "in", "-o", "out") == .code(3))
    #expect(stage.errors.lines.first == "<4>warning: a word of warning")
    #expect(stage.errors.lines.allSatisfy { $0.hasPrefix("<4>") })
    let cron = Self.stage(changed: true, isJournal: true)
    #expect(cron.run("run", "in", "-o", "out", "--cron") == .code(0))
    #expect(cron.errors.lines.prefix(2) == ["<4>warning: a word of warning", "<6>3 photos, all verified"])
    let failed = Stage(
      errors: Recorder(isJournal: true),
      engine: ScriptedEngine { _, _ throws(RunError) in throw .sourceUnusable(.missing(Array("in".utf8))) })
    #expect(failed.run("run", "in", "-o", "out") == .code(1))
    #expect(failed.errors.text.hasPrefix("<3>photo-ingest: error: source folder in: "))
    #expect(failed.run("run", "in") == .code(2))
    #expect(failed.errors.lines.last?.hasPrefix("<3>photo-ingest: error: --output DIR: ") == true)
  }

  @Test(arguments: [[], ["--quiet"], ["--cron"]])
  func `a log that cannot be written is told once, and changes no exit code`(words: [String]) {
    var stage = Self.stage(changed: false)
    stage.log = Recorder(lossReason: "No space left on device")
    let arguments = (["run", "in", "-o", "out", "--log-file", "/full\u{7}"] + words).map { Array($0.utf8) }
    #expect(Command.run(stage.surroundings(arguments)) == .code(0))
    let told = stage.errors.lines.filter { $0.contains("--log-file") }
    #expect(told == ["warning: --log-file /full\\x07: cannot be written: No space left on device"])
  }
}
