import Ingest
import IngestCore

/// Shows how far a verification is, at most ten times a second on a terminal and once a second elsewhere.
final class VerifyProgressPrinter: VerifyPrinting {
  private struct State {
    var total = 0
    var began: Duration?
    var lastFrame: Duration?
    var findings = 0
  }

  private let console: Console
  private let form: ProgressPrinter.Form
  private let clock: @Sendable () -> Duration
  private let state = Guarded(State())

  init(console: Console, form: ProgressPrinter.Form, clock: @escaping @Sendable () -> Duration) {
    self.console = console
    self.form = form
    self.clock = clock
  }

  func hear(_ event: VerifyEvent, of album: RelativePath?) {
    let now = clock()
    let form = form
    let frame = state.withLock { state -> String? in
      switch event {
      case .began(let files):
        state.total = files
        state.began = now
        return nil
      case .finding:
        state.findings += 1
        return nil
      case .message: return nil
      case .progressed(let finished, let total):
        let interval: Duration = form == .bar ? .milliseconds(100) : .seconds(1)
        if let last = state.lastFrame, now - last < interval { return nil }
        state.lastFrame = now
        var figures = ["\(finished)/\(total) files"]
        let seconds = Counted.seconds(now - (state.began ?? now))
        if seconds > 0, finished > 0 {
          let rate = Double(finished) / seconds
          figures.append(Counted.decimal(rate, 1) + "/s")
          figures.append("ETA " + Counted.clock(.seconds(Double(max(0, total - finished)) / rate)))
        }
        if state.findings > 0 { figures.append(Counted.things(state.findings, "finding", "findings")) }
        return figures.joined(separator: form == .bar ? "  " : ", ")
      }
    }
    guard let frame else { return }
    switch form {
    case .bar: console.draw(Columns.head(frame, fitting: max(0, (console.stream.terminalWidth ?? 80) - 1)))
    case .lines: console.write([frame])
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
  }
}
