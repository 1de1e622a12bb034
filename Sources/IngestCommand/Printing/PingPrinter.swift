import Ingest
import IngestCore

/// Tells a watching service that the run begins, and at the end its exit code. What the service answers changes nothing.
///
/// The begin is told when the photos are known: not by a run that finds the output folder taken and leaves, which tells
/// nothing at all when it is skipped. The begin goes out beside the run; the end waits for it, after a signal not for long.
final class PingPrinter: RunPrinting {
  private let target: PingTarget
  private let surroundings: Surroundings
  private let onFailure: @Sendable (String) -> Void
  /// Waits for the first ping, once it is on its way.
  private let begun = Guarded<(@Sendable (Duration?) -> Void)?>(nil)
  /// Whether the begin has been told: of several albums each says when its photos are known.
  private let isTold = Guarded(false)

  /// After a signal the run must be over within 5 seconds, and is given up after 4: for both pings together less.
  private static let (beginAfterSignal, endAfterSignal) = (Duration.seconds(1), Duration.seconds(2))

  init(_ target: PingTarget, _ surroundings: Surroundings, onFailure: @escaping @Sendable (String) -> Void) {
    self.target = target
    self.surroundings = surroundings
    self.onFailure = onFailure
  }

  func hear(_ event: RunEvent, of album: Album?) {
    guard case .scanned = event else { return }
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    guard isFirst else { return }
    let (target, surroundings, onFailure) = (target, surroundings, onFailure)
    let wait = surroundings.onOwnThread {
      if let reason = surroundings.ping(Ping(target, .start)) { onFailure(reason) }
    }
    begun.withLock { $0 = wait }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    if case .skipped = outcome { return }
    let isHurried = ending.signalName != nil
    begun.withLock { $0 }?(isHurried ? Self.beginAfterSignal : nil)
    var target = target
    if isHurried { target.timeLimit = min(target.timeLimit, Self.endAfterSignal) }
    let ping = Ping(target, .end(code: ending.shown), note: Self.note(outcome, ending))
    if let reason = surroundings.ping(ping) { onFailure(reason) }
  }

  /// Figures and no names: the service is somebody else's.
  private static func note(_ outcome: Outcome, _ ending: Ending) -> String {
    let code = "exit code \(ending.shown)\n"
    let (totals, elapsed): (ManifestTotals, Duration)
    switch outcome {
    case .run(let summary): (totals, elapsed) = (summary.totals, summary.elapsed)
    case .albums(let albums): (totals, elapsed) = (albums.totals, albums.elapsed)
    default: return code
    }
    return "\(Counted.photos(totals.assets)): \(totals.verified) verified, \(totals.damaged) damaged, "
      + "\(totals.failed) failed; \(Counted.time(elapsed))\n" + code
  }
}
