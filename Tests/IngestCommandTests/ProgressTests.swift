import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ProgressTests {
  private func progressed(_ finished: Int, of total: Int, _ status: AssetRow.Status = .verified) -> RunEvent {
    .progressed(finished: finished, of: total, path: RelativePath("holiday/day1/\(finished).jpg"), status: status)
  }

  @Test func `a bar shows count, rate, time left, what is not verified, and the folder`() {
    let stream = Recorder(terminal: 100)
    let clock = ScriptedClock()
    let printer = ProgressPrinter(console: Console(stream), form: .bar, clock: { clock.now })
    printer.hear(.scanned(count: 200))
    clock.advance(.milliseconds(50))
    printer.hear(progressed(1, of: 200, .damaged))
    clock.advance(.milliseconds(1950))
    printer.hear(progressed(50, of: 200, .failed))
    printer.finish(.run(.sample()), ending: .code(0))
    #expect(
      stream.pieces == [
        "[....................]  0/200 photos",
        "\r\u{1B}[J[#####...............]  50/200 photos  25.0/s  ETA 0:06  1 damaged  1 failed  holiday/day1",
        "\r\u{1B}[J",
      ])
  }

  @Test func `there are at most ten frames a second`() {
    let stream = Recorder(terminal: 80)
    let clock = ScriptedClock()
    let printer = ProgressPrinter(console: Console(stream), form: .bar, clock: { clock.now })
    printer.hear(.scanned(count: 10_000))
    var times: [Duration] = [clock.now]
    var seen = stream.pieces.count
    for number in 1...10_000 {
      clock.advance(.microseconds(500))
      printer.hear(progressed(number, of: 10_000))
      if stream.pieces.count > seen {
        seen = stream.pieces.count
        times.append(clock.now)
      }
    }
    // Five seconds: a frame at the start and then one every tenth of a second.
    #expect(times.count == 51)
    for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .milliseconds(100)) }
  }

  @Test(arguments: [10, 20, 40, 59, 60, 80, 200])
  func `no frame fills the line`(width: Int) {
    let stream = Recorder(terminal: width)
    let clock = ScriptedClock()
    let printer = ProgressPrinter(console: Console(stream), form: .bar, clock: { clock.now })
    printer.hear(.scanned(count: 123_456))
    for number in 1...5 {
      clock.advance(.seconds(1))
      printer.hear(
        .progressed(
          finished: number, of: 123_456, path: RelativePath("日本語/" + String(repeating: "ordner", count: 50) + "/x.jpg"),
          status: .damaged))
    }
    let frames = stream.pieces.map { $0.replacing("\r\u{1B}[J", with: "") }
    #expect(frames.count == 6)
    for frame in frames { #expect(Columns.count(frame) < width, "\(frame)") }
  }

  @Test func `a line wipes the bar and the next frame brings it back`() {
    let stream = Recorder(terminal: 80)
    let clock = ScriptedClock()
    let console = Console(stream)
    let printer = ProgressPrinter(console: console, form: .bar, clock: { clock.now })
    printer.hear(.scanned(count: 4))
    console.write(["a line"])
    console.write(["another"])
    clock.advance(.seconds(1))
    printer.hear(progressed(1, of: 4))
    #expect(stream.pieces[1] == "\r\u{1B}[Ja line\n")
    #expect(stream.pieces[2] == "another\n")
    #expect(stream.pieces[3].hasPrefix("[#####"))
  }

  @Test func `a terminal that became narrower is wiped row by row`() {
    let stream = Recorder(terminal: 100)
    let console = Console(stream)
    console.draw(String(repeating: "x", count: 99))
    stream.resize(40)
    console.clear()
    #expect(stream.pieces.last == "\r\u{1B}[2A\u{1B}[J")
    console.clear()
    #expect(stream.pieces.count == 2)
  }

  @Test func `a hostile folder name cannot steer the terminal`() {
    let stream = Recorder(terminal: 120)
    let clock = ScriptedClock()
    let printer = ProgressPrinter(console: Console(stream), form: .bar, clock: { clock.now })
    printer.hear(
      .progressed(finished: 1, of: 2, path: RelativePath("a\u{1B}[2J\n\u{202E}/x.jpg"), status: .verified))
    #expect(stream.text.hasSuffix("a\\x1b[2J\\n\\u{202e}"))
  }

  @Test func `lines without a terminal hold no carriage return and no escape`() {
    let stream = Recorder()
    let clock = ScriptedClock()
    let printer = ProgressPrinter(console: Console(stream), form: .lines, clock: { clock.now })
    printer.hear(.scanned(count: 30))
    for number in 1...30 {
      clock.advance(.milliseconds(100))
      printer.hear(progressed(number, of: 30, number == 5 ? .damaged : .verified))
    }
    printer.finish(.run(.sample()), ending: .code(0))
    #expect(
      stream.text == """
        0/30 photos
        10/30 photos, 10.0/s, ETA 0:02, 1 damaged
        20/30 photos, 10.0/s, ETA 0:01, 1 damaged
        30/30 photos, 10.0/s, ETA 0:00, 1 damaged

        """)
  }

  @Test(
    arguments: [
      (["auto"], 80, "xterm", nil, ProgressPrinter.Form.bar), (["auto"], nil, "xterm", nil, nil),
      (["auto"], 80, "dumb", nil, nil), (["always"], nil, "", nil, .lines), (["always"], 80, "dumb", nil, .lines),
      (["always"], 80, "xterm", nil, .bar), (["never"], 80, "xterm", nil, nil),
      (["auto", "-q"], 80, "xterm", nil, nil),
      (["always", "-q"], 80, "xterm", nil, .bar), (["auto", "--json"], 80, "xterm", 80, nil),
      (["auto", "--json"], 80, "xterm", nil, .bar), (["auto"], 80, "xterm", 80, .bar),
    ] as [([String], Int?, String, Int?, ProgressPrinter.Form?)])
  func `progress needs a terminal of its own or a wish`(
    words: [String], errorWidth: Int?, term: String, outputWidth: Int?, form: ProgressPrinter.Form?
  ) throws {
    let stage = Stage().surroundings((["a", "-o", "b", "--progress"] + words).map { Array($0.utf8) })
    let low = try ArgumentParser(isFolder: { _ in false }).parse(stage.arguments)
    let talk = try RunRequestReader(surroundings: stage).read(low).talk
    let chosen = ProgressPrinter.form(
      talk, standardOutput: Recorder(terminal: outputWidth), standardError: Recorder(terminal: errorWidth)
    ) { $0 == "TERM" ? Array(term.utf8) : nil }
    #expect(chosen == form)
  }
}
