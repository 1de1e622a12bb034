import IngestCore

/// Shares one stream for people between lines that stay and a progress line that moves.
///
/// Any line first wipes the progress line away; the next frame brings it back. Safe from every thread.
final class Console: Sendable {
  let stream: any ByteOutput
  private let isJournal: Bool
  /// The columns that the moving line takes now. The lock is held while the stream is written to, so that a line and a
  /// frame never mix; the stream calls nobody back.
  private let shownColumns = Guarded(0)

  init(_ stream: any ByteOutput) {
    self.stream = stream
    isJournal = stream.isJournal
  }

  /// Writes whole lines. The journal is told their priority.
  func write(_ lines: [String], _ priority: JournalPriority = .info) {
    guard !lines.isEmpty else { return }
    let prefix = isJournal ? priority.prefix : ""
    shownColumns.withLock { shown in
      stream.write(wipe(&shown) + lines.map { prefix + $0 + "\n" }.joined())
    }
  }

  /// Puts a frame where the last one was. For terminals only.
  func draw(_ frame: String) {
    shownColumns.withLock { shown in
      let wiped = wipe(&shown)
      stream.write(wiped + frame)
      shown = Columns.count(frame)
    }
  }

  /// Takes the moving line away.
  func clear() {
    shownColumns.withLock { shown in
      let wiped = wipe(&shown)
      if !wiped.isEmpty { stream.write(wiped) }
    }
  }

  /// What wipes the moving line. A terminal that became narrower has broken it into several rows: all of them go.
  private func wipe(_ shown: inout Int) -> String {
    guard shown > 0 else { return "" }
    let width = max(1, stream.terminalWidth ?? 80)
    let rowsAbove = (shown - 1) / width
    shown = 0
    return "\r" + (rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : "") + "\u{1B}[J"
  }
}
