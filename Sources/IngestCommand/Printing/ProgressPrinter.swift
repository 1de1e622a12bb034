import Ingest
import IngestCore

/// Shows how far a run is: a bar that moves on a terminal, else a plain line now and then.
///
/// Draws at most ten frames a second, and only when something happened.
final class ProgressPrinter: RunPrinting {
  enum Form: Sendable {
    /// A bar on one line of a terminal.
    case bar
    /// Whole lines, once a second, for `--progress always` without a terminal: no carriage return, no escape.
    case lines
  }

  private struct State {
    /// Of each album; of the one folder where there is no album.
    var parts: [Album?: Part] = [:]
    var damaged = 0
    var failed = 0
    var folder = ""
    var began: Duration?
    var lastFrame: Duration?

    var total: Int { parts.values.reduce(0) { $0 + $1.total } }
    var finished: Int { parts.values.reduce(0) { $0 + $1.finished } }
  }

  private struct Part {
    var total = 0
    var finished = 0
  }

  private let console: Console
  private let form: Form
  private let clock: @Sendable () -> Duration
  private let state = Guarded(State())

  init(console: Console, form: Form, clock: @escaping @Sendable () -> Duration) {
    self.console = console
    self.form = form
    self.clock = clock
  }

  /// Which form the progress of a run takes; nil for none.
  static func form(
    _ talk: RunRequest.Talk, standardOutput: any ByteOutput, standardError: any ByteOutput,
    environment: (String) -> [UInt8]?
  ) -> Form? {
    let canMove = standardError.isTerminal && environment("TERM") != Array("dumb".utf8)
    switch talk.progress {
    case .never: return nil
    case .always: return canMove ? .bar : .lines
    case .auto:
      // Data on the same screen would run into the bar.
      let isShared = standardOutput.isTerminal && talk.isJSON
      return canMove && talk.volume != .quiet && !isShared ? .bar : nil
    }
  }

  func hear(_ event: RunEvent, of album: Album?) {
    let now = clock()
    let frame = state.withLock { state -> String? in
      switch event {
      case .scanned(let count):
        state.parts[album, default: Part()].total = count
        state.began = state.began ?? now
      case .progressed(let finished, let total, let path, let status):
        // Turns are told in order, but a slow thread may come late with its news.
        let before = state.parts[album]?.finished ?? 0
        state.parts[album] = Part(total: total, finished: max(before, finished))
        state.began = state.began ?? now
        if status == .damaged { state.damaged += 1 }
        if status == .failed { state.failed += 1 }
        state.folder = SafeText.cleaned(Self.folder(of: album.map { $0.name.appending(path.bytes) } ?? path))
      case .degraded, .asset, .read, .vanished, .cancelled, .message: return nil
      }
      let interval: Duration = form == .bar ? .milliseconds(100) : .seconds(1)
      if let last = state.lastFrame, now - last < interval { return nil }
      state.lastFrame = now
      return form == .bar
        ? bar(state, now, width: console.stream.terminalWidth ?? 80) : Self.figures(state, now).joined(separator: ", ")
    }
    guard let frame else { return }
    switch form {
    case .bar: console.draw(frame)
    case .lines: console.write([frame])
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
  }

  /// One line that leaves the last column free, since some terminals break a full line.
  private func bar(_ state: State, _ now: Duration, width: Int) -> String {
    let room = max(0, width - 1)
    var text = Self.figures(state, now).joined(separator: "  ")
    if room >= 60 {
      let cells = 20
      let filled = state.total > 0 ? min(cells, cells * state.finished / state.total) : 0
      let drawn = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
      text = "[\(drawn)]  " + text
    }
    let left = room - Columns.count(text) - 2
    if left >= 8, !state.folder.isEmpty { text += "  " + Columns.tail(state.folder, fitting: left) }
    return Columns.head(text, fitting: room)
  }

  /// `123/2000 photos`, rate, time left, and what is not verified so far.
  private static func figures(_ state: State, _ now: Duration) -> [String] {
    var figures = ["\(state.finished)/\(state.total) photos"]
    let seconds = Counted.seconds(now - (state.began ?? now))
    if state.finished > 0, seconds > 0 {
      let rate = Double(state.finished) / seconds
      figures.append(Counted.decimal(rate, 1) + "/s")
      let left = max(0, state.total - state.finished)
      figures.append("ETA " + Counted.clock(.seconds(Double(left) / rate)))
    }
    if state.damaged > 0 { figures.append("\(state.damaged) damaged") }
    if state.failed > 0 { figures.append("\(state.failed) failed") }
    return figures
  }

  private static func folder(of path: RelativePath) -> String {
    guard let slash = path.bytes.lastIndex(of: ASCII.slash) else { return "" }
    return String(decoding: path.bytes[..<slash], as: UTF8.self)
  }
}
