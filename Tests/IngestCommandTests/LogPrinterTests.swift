import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct LogPrinterTests {
  @Test func `a log holds every message and verdict of this run with its time`() {
    let log = Recorder()
    let clock = ScriptedClock()
    let printer = LogPrinter(
      log: log, place: RunPlace(RunConfiguration(source: Array("photos".utf8), output: Array("out".utf8))),
      clock: { clock.now })
    printer.begin(RunBeginning(seconds: 1_719_800_220.75, processID: 4711))
    clock.advance(.milliseconds(1250))
    printer.hear(.scanned(count: 2))
    var (good, cut) = (RowSummary.good, RowSummary.cut)
    // An earlier run has found it, and has said so in its own lines.
    printer.hear(.asset(line: [], row: cut))
    good.reason = .new
    cut.reason = .modified
    printer.hear(.asset(line: [], row: good))
    printer.hear(.asset(line: [], row: cut))
    printer.hear(.message(.info, "a\u{1B}[1m"))
    clock.advance(.seconds(10_000))
    printer.finish(.run(.sample(problems: [.cut])), ending: .code(3))
    #expect(
      log.text == """
        [    0.000] 2024-07-01T02:17:00Z photo-ingest 0.1.0, process 4711: run of photos to out
        [    1.250] 2 photos found
        [    1.250] verified a.jpg
        [    1.250] damaged holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file
        [    1.250] info: a\\x1b[1m
        [10001.250] 4 photos: 3 verified, 1 damaged
        [10001.250] damaged:
        [10001.250]   holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file
        [10001.250] results: out (manifest.jsonl, manifest.json, thumbnails/)
        [10001.250] 1.5 s, 2.7 photos/s, 3.0 MB read (2.0 MB/s)
        [10001.250] exit code 3

        """)
  }

  @Test func `a dry run writes nothing, also no log`() {
    let stage = Stage(engine: ScriptedEngine(candidates: [RelativePath("a.jpg")]))
    var surroundings = stage.surroundings(["photos", "-o", "out", "-n", "--log-file", "x.log"].map { Array($0.utf8) })
    surroundings.openLog = { path in
      Issue.record("opened")
      return stage.log
    }
    #expect(Command.run(surroundings) == .code(0))
    #expect(stage.log.bytes == [] && stage.output.text == "a.jpg\n")
  }

  @Test func `quiet on the screen is not quiet in the log`() {
    let stage = Stage(
      engine: ScriptedEngine { _, report in
        report(.message(.info, "hello"))
        return .sample()
      })
    #expect(stage.run("photos", "-o", "out", "-q", "--log-file", "x.log") == .code(0))
    #expect(stage.errors.text == "")
    #expect(stage.log.text.contains("info: hello\n"))
  }
}
