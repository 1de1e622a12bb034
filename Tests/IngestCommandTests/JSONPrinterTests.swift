import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct JSONPrinterTests {
  @Test func `every event is one line with its record`() {
    let stream = Recorder()
    let printer = JSONPrinter(output: stream)
    printer.hear(.scanned(count: 2))
    printer.hear(
      .degraded(index: 0, path: RelativePath("a/b.jpg"), preview: .init(source: .embedded, width: 160, height: 120)))
    printer.hear(
      .degraded(index: 1, path: RelativePath([0x61, 0xFF]), preview: .init(source: .scan, width: 8, height: 4)))
    printer.hear(.progressed(finished: 1, of: 2, path: RelativePath("a/b.jpg"), status: .verified))
    printer.hear(.asset(line: Array("{\"index\":0,\"record\":\"asset\"}\n".utf8), row: .good))
    printer.hear(.message(.warning, "x\n\"y\""))
    printer.finish(
      .run(.sample(problems: [.cut], leftOut: ["hidden": 2, "a": 1], unreadableFolders: 1)), ending: .code(3))
    #expect(
      stream.text == #"""
        {"count":2,"record":"scan"}
        {"index":0,"path":"a/b.jpg","preview":{"height":120,"source":"embedded","width":160},"record":"degraded"}
        {"index":1,"path":"a�","path_b64":"Yf8=","preview":{"height":4,"source":"scan","width":8},"record":"degraded"}
        {"index":0,"record":"asset"}
        {"level":"warning","record":"message","text":"x\n\"y\""}
        {"exit_code":3,"left_out":{"a":1,"hidden":2},"record":"summary","seconds":1.5,"totals":{"assets":4,"damaged":1,"failed":0,"verified":3},"unreadable_folders":1}

        """#)
    // One write a record: events of several threads must not mix inside a line.
    #expect(stream.pieces.count == 6)
    #expect(stream.pieces.allSatisfy { $0.hasSuffix("\n") })
  }

  @Test func `what was pruned and what is no longer asked for stands in the summary where there is any`() {
    let stream = Recorder()
    var summary = RunSummary.sample(verified: 0)
    (summary.unasked, summary.pruned) = (18, 2)
    JSONPrinter(output: stream).finish(.run(summary), ending: .code(0))
    #expect(
      stream.text.contains(#""left_out":{},"no_longer_asked_for":18,"pruned":2,"record":"summary""#), "\(stream.text)")
  }

  @Test func `a run that did not complete ends with its code and no totals`() {
    let stream = Recorder()
    JSONPrinter(output: stream).finish(.failed(.manifestUnusable(path: "out", reason: "cut off")), ending: .code(1))
    #expect(
      stream.text == #"""
        {"level":"error","record":"message","text":"out: cut off"}
        {"exit_code":1,"record":"summary"}

        """#)
  }

  @Test func `a run that a policy stopped names the one cause and every photo it cancelled`() {
    let stream = Recorder()
    let printer = JSONPrinter(output: stream)
    printer.hear(.cancelled(path: RelativePath("b.jpg")))
    printer.hear(.cancelled(path: RelativePath([0x61, 0xFF])))
    printer.finish(
      .failed(
        .stoppedByPolicy(
          photo: RelativePath("a.jpg"), failure: LoadFailure(.corrupt, "bad code"), failures: 1, cancelled: 2)),
      ending: .code(1))
    #expect(
      stream.text == #"""
        {"path":"b.jpg","record":"cancelled"}
        {"path":"a�","path_b64":"Yf8=","record":"cancelled"}
        {"level":"error","record":"message","text":"a.jpg: bad code; the run stopped here, as asked (1 photo not verified, 2 cancelled)"}
        {"cancelled":2,"cause":{"code":"corrupt","message":"bad code","path":"a.jpg"},"exit_code":1,"record":"summary"}

        """#)
  }

  @Test func `a run that a signal ended shows what the shell will see`() {
    let stream = Recorder()
    JSONPrinter(output: stream).finish(.failed(.cancelled), ending: .signal(15))
    #expect(stream.lines.last == #"{"exit_code":143,"record":"summary"}"#)
  }

  @Test func `every record is strict JSON whatever the name`() throws {
    let stream = Recorder()
    let printer = JSONPrinter(output: stream)
    for name in ["\u{0}\u{1B}\u{7F}\"\\/", "\u{2028}\u{202E}", "e\u{301}"] {
      printer.candidate(RelativePath(name))
      let line = Array(try #require(stream.pieces.last).utf8.dropLast())
      #expect(!line.contains(0x0A) && !line.contains(0x1B))
      let value = try JSONReader().read(line)
      #expect(value["path"]?.stringValue.map { Array($0.utf8) } == Array(name.utf8))
      #expect(value["record"]?.stringValue == "candidate")
    }
  }
}
