import IngestCore
import IngestTestSupport

@testable import Ingest

/// Keeps what a run tells, in the order in which it came, and can act on it.
final class RunStory: Sendable {
  private let events = Guarded<[RunEvent]>([])
  private let onEvent: @Sendable (RunEvent) -> Void

  init(onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }) {
    self.onEvent = onEvent
  }

  var report: IngestRun.Report {
    { [self] event in
      events.withLock { $0.append(event) }
      onEvent(event)
    }
  }

  private var all: [RunEvent] { events.withLock { $0 } }

  /// `asset 0 a.jpg`, `degraded 0 a.jpg`, `progressed 1/3 a.jpg`, `scanned 3`.
  var words: [String] {
    all.map { event in
      switch event {
      case .scanned(let count): "scanned \(count)"
      case .degraded(let index, let path, _): "degraded \(index) \(path.display)"
      case .progressed(let finished, let of, let path, _): "progressed \(finished)/\(of) \(path.display)"
      case .asset(_, let row): "asset \(row.index) \(row.path.display)"
      case .read(let path, let reason, let former):
        "read \(path.display) \(reason.rawValue)" + (former.map { " was \($0.display)" } ?? "")
      case .vanished(let path): "vanished \(path.display)"
      case .cancelled(let path): "cancelled \(path.display)"
      case .message(let level, let words): "\(level.rawValue) \(words)"
      }
    }
  }

  /// The asset events alone.
  var assets: [String] { words.filter { $0.hasPrefix("asset") } }

  /// The manifest lines that were told.
  var lines: [[UInt8]] {
    all.compactMap { if case .asset(let line, _) = $0 { line } else { nil } }
  }
}
