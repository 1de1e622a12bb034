import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct TextPrinterTests {
  private func printer(
    _ stream: Recorder, _ volume: RunRequest.Talk.Volume = .usual, colours: Bool = false, beside: Bool = false
  ) -> TextPrinter {
    TextPrinter(
      console: Console(stream), palette: Palette(isOn: colours), volume: volume,
      place: RunPlace(RunConfiguration(source: Array("photos".utf8), output: Array("out".utf8))), isBesideJSON: beside)
  }

  @Test func `a summary says what to look at and where the results lie`() {
    let stream = Recorder()
    let summary = RunSummary.sample(
      problems: [.cut, .text], leftOut: ["sidecar": 1, "hidden": 12, "not-a-photo": 1, "none": 0], unreadableFolders: 1)
    printer(stream).finish(.run(summary), ending: .code(3))
    #expect(
      stream.text == """
        5 photos: 3 verified, 1 damaged, 1 failed
        damaged:
          holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file
        failed:
          notes.jpg: the first bytes are those of no image
        left out: 12 hidden, 1 not-a-photo, 1 sidecar
        1 folder could not be read
        results: out (manifest.jsonl, manifest.json, thumbnails/)
        1.5 s, 3.3 photos/s, 3.0 MB read (2.0 MB/s)

        """)
  }

  @Test func `a good run is three lines`() {
    let stream = Recorder()
    printer(stream).finish(.run(.sample(verified: 1)), ending: .code(0))
    #expect(
      stream.text == """
        1 photo, verified
        results: out (manifest.jsonl, manifest.json, thumbnails/)
        1.5 s, 0.7 photos/s, 3.0 MB read (2.0 MB/s)

        """)
  }

  @Test func `a run that knew photos says why it read, what it was not asked for and what it pruned`() {
    func middle(_ change: (inout RunSummary) -> Void) -> [String] {
      let stream = Recorder()
      var summary = RunSummary.sample()
      change(&summary)
      printer(stream).finish(.run(summary), ending: .code(0))
      return Array(stream.lines.dropFirst().dropLast(2))
    }
    #expect(middle { $0.reads = [.new: 3] } == [])
    #expect(middle { ($0.knewPhotos, $0.reads) = (true, [.forced: 3]) } == ["read: 3 forced"])
    #expect(
      middle { ($0.knewPhotos, $0.reads, $0.unchanged) = (true, [.options: 2, .new: 1], 4) }
        == ["read: 2 options, 1 new; 4 unchanged"])
    #expect(middle { ($0.knewPhotos, $0.unchanged) = (true, 3) } == ["nothing was read: 3 unchanged"])
    #expect(
      middle { ($0.unasked, $0.pruned) = (1, 1) } == [
        "1 known photo is no longer asked for", "1 file pruned from originals/",
      ])
    #expect(
      middle { ($0.unasked, $0.pruned) = (2, 3) }
        == ["2 known photos are no longer asked for", "3 files pruned from originals/"])
  }

  @Test func `an empty folder has no photos`() {
    let stream = Recorder()
    printer(stream).finish(.run(.sample(verified: 0)), ending: .code(0))
    #expect(stream.lines.first == "no photos")
    #expect(stream.lines.last == "1.5 s")
  }

  @Test func `problems beyond those kept are counted`() {
    let stream = Recorder()
    var summary = RunSummary.sample(problems: [.cut])
    summary.totals.damaged = 12
    printer(stream).finish(.run(summary), ending: .code(3))
    #expect(stream.lines.contains("and 11 more; manifest.jsonl lists them all"))
  }

  @Test func `colours are on words and never on names`() {
    let stream = Recorder()
    printer(stream, colours: true).finish(.run(.sample(problems: [.cut])), ending: .code(3))
    #expect(
      stream.lines[0] == "\u{1B}[1m4 photos\u{1B}[0m: \u{1B}[32m3 verified\u{1B}[0m, \u{1B}[33m1 damaged\u{1B}[0m")
    #expect(stream.lines[2].hasPrefix("  holiday/IMG_7.jpg: "))
  }

  @Test func `verbose tells every photo and every message`() {
    let stream = Recorder()
    let printer = printer(stream, .verbose)
    printer.hear(.scanned(count: 2))
    printer.hear(.asset(line: [], row: .good))
    printer.hear(.asset(line: [], row: .cut))
    printer.hear(.asset(line: [], row: .text))
    printer.hear(.message(.info, "waiting"))
    #expect(
      stream.text == """
        2 photos found
        verified a.jpg
        damaged  holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file
        failed   notes.jpg: the first bytes are those of no image
        waiting

        """)
  }

  @Test(arguments: [
    (RunRequest.Talk.Volume.quiet, ["error: c"]), (.usual, ["warning: b", "error: c"]),
    (.verbose, ["a", "warning: b", "error: c"]),
  ])
  func `the volume decides which messages are said`(volume: RunRequest.Talk.Volume, lines: [String]) {
    let stream = Recorder()
    let printer = printer(stream, volume)
    printer.hear(.message(.info, "a"))
    printer.hear(.message(.warning, "b"))
    printer.hear(.message(.error, "c"))
    #expect(stream.lines == lines)
  }

  @Test func `quiet is silent when all is well and names the photos that are not`() {
    let silent = Recorder()
    printer(silent, .quiet).finish(.run(.sample()), ending: .code(0))
    #expect(silent.text == "")
    let stream = Recorder()
    printer(stream, .quiet).finish(.run(.sample(problems: [.text])), ending: .code(3))
    #expect(stream.text == "failed notes.jpg: the first bytes are those of no image\n")
  }

  @Test func `beside JSON only what needs attention is said`() {
    let stream = Recorder()
    let printer = printer(stream, beside: true)
    printer.hear(.message(.warning, "b"))
    printer.finish(.run(.sample(problems: [.text])), ending: .code(3))
    #expect(stream.text == "warning: b\n")
  }

  @Test func `hostile names and messages are shown, not obeyed`() {
    let stream = Recorder()
    let row = RowSummary(
      index: 0, path: RelativePath("a\u{1B}]0;x\u{07}\nb\u{202E}.jpg"), status: .failed,
      error: LoadFailure(.corrupt, "bad\rmarker \u{1B}[1m"))
    let printer = printer(stream, .verbose)
    printer.hear(.asset(line: [], row: row))
    printer.hear(.message(.warning, "x\u{1B}[2J"))
    printer.hear(.cancelled(path: RelativePath("c\u{1B}")))
    printer.finish(
      .failed(.stoppedByPolicy(photo: row.path, failure: LoadFailure(.corrupt, "\u{1B}"), failures: 1, cancelled: 1)),
      ending: .code(1))
    #expect(!stream.bytes.contains { $0 == 0x1B || $0 == 0x0D || $0 == 0x07 })
    #expect(stream.lines.count == 4)
    #expect(stream.lines[2] == "cancelled c\\x1b")
    #expect(stream.lines[0] == "failed   a\\x1b]0;x\\x07\\nb\\u{202e}.jpg: bad\\rmarker \\x1b[1m")
  }

  @Test func `an interrupted run says so and nothing else`() {
    let stream = Recorder()
    printer(stream, .quiet).finish(.failed(.cancelled), ending: .signal(2))
    #expect(stream.text == "photo-ingest: error: stopped by SIGINT; an earlier manifest is untouched\n")
  }

  @Test(
    arguments: [
      (nil, "", "", RunRequest.Talk.When.auto, false), (80, "", "", .auto, true), (80, "1", "", .auto, false),
      (80, "", "dumb", .auto, false), (80, "1", "dumb", .always, true), (nil, "", "", .always, true),
      (80, "", "", .never, false),
    ] as [(Int?, String, String, RunRequest.Talk.When, Bool)])
  func `colours need a terminal or a wish`(
    width: Int?, noColor: String, term: String, when: RunRequest.Talk.When, isOn: Bool
  ) {
    let environment = ["NO_COLOR": noColor, "TERM": term]
    let palette = Palette(when, stream: Recorder(terminal: width)) { environment[$0].map { Array($0.utf8) } }
    #expect(palette.isOn == isOn)
  }
}
