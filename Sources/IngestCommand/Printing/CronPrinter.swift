import Ingest
import IngestCore

/// Tells the whole story of a run at its end, or nothing: cron mails whatever is said (`--cron`).
///
/// The story is told when the run did not complete, when a signal ended it, and when the photos that are not verified are
/// others than after the last run.
struct CronPrinter: RunPrinting {
  private let stream: any ByteOutput
  private let withheld: WithheldOutput
  private let text: TextPrinter

  /// - Parameter makeText: makes the printer that words the story.
  init(_ stream: any ByteOutput, makeText: (Console) -> TextPrinter) {
    self.stream = stream
    withheld = WithheldOutput(for: stream)
    text = makeText(Console(withheld))
  }

  func hear(_ event: RunEvent, of album: Album?) { text.hear(event, of: album) }

  func finish(_ outcome: Outcome, ending: Ending) {
    guard Self.isWorthTelling(outcome, ending) else { return }
    let messages = withheld.take()
    text.finish(outcome, ending: ending)
    stream.write(messages + withheld.take())
  }

  static func isWorthTelling(_ outcome: Outcome, _ ending: Ending) -> Bool {
    // A signal, or what failed after the run itself.
    if ending != .code(ExitCode(outcome).rawValue) { return true }
    switch outcome {
    case .run(let summary): return summary.problemsChanged
    case .albums(let albums):
      return albums.fault != nil || !albums.results.allSatisfy(\.isComplete)
        || albums.summaries.contains(where: \.problemsChanged)
    case .skipped: return false
    case .failed, .usage, .listed, .albumsListed, .checked, .albumsChecked, .published, .inspected, .done: return true
    }
  }
}

/// Keeps what is written for a stream, the last messages of it, until somebody takes it.
final class WithheldOutput: ByteOutput {
  /// Enough to see what happened, and a mail of a bearable size.
  static let keptPieces = 200

  private struct State {
    var pieces: [[UInt8]] = []
    var dropped = 0
  }

  private let stream: any ByteOutput
  private let state = Guarded(State())

  init(for stream: any ByteOutput) {
    self.stream = stream
  }

  func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      state.pieces.append(bytes)
      guard state.pieces.count > Self.keptPieces else { return }
      state.pieces.removeFirst()
      state.dropped += 1
    }
    return true
  }

  /// Everything that is kept, and a word on what is not.
  func take() -> [UInt8] {
    let taken = state.withLock { state in
      defer { state = State() }
      return state
    }
    let priority = isJournal ? JournalPriority.info.prefix : ""
    let gap = taken.dropped == 0 ? "" : "\(priority)(\(taken.dropped) earlier messages are left out)\n"
    return Array(gap.utf8) + taken.pieces.joined()
  }

  var isTerminal: Bool { stream.isTerminal }
  var terminalWidth: Int? { stream.terminalWidth }
  var lossReason: String? { nil }
  var isJournal: Bool { stream.isJournal }
}
