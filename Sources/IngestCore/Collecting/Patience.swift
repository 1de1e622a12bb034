package import Dispatch

/// Decides how long a loop waits for the ending of one turn.
///
/// The time limit counts from the moment the turn is waited for, so every turn gets at least its limit, however long
/// the turns before it took. The grace counts from the owner's stop and is shared by all turns that are still out.
struct Patience: Sendable {
  enum End: Sendable, Equatable { case ended, timedOut, graceOver }

  let timeLimit: Duration?
  let grace: Duration

  /// Blocks until `isOver` holds or patience ends.
  ///
  /// `signal` only wakes; `isOver` decides. So a wake that is no ending (a stop) costs one look and shifts nothing.
  func wait(for signal: DispatchSemaphore, control: CollectionControl, isOver: () -> Bool) -> End {
    let limit = timeLimit.map { DispatchTime.now().after($0) } ?? .distantFuture
    while true {
      if isOver() { return .ended }
      let cancelledAt = control.cancelledAt
      let deadline = cancelledAt?.after(grace) ?? limit
      // On Linux a semaphore sleeps by the wall clock: one that is set meanwhile would end a wait early, or very late. So
      // the steady clock decides, and it is looked at every second.
      let glance = min(deadline, DispatchTime.now().after(.seconds(1)))
      guard signal.wait(timeout: glance) == .timedOut, DispatchTime.now() >= deadline else { continue }
      if isOver() { return .ended }
      return cancelledAt == nil ? .timedOut : .graceOver
    }
  }

  /// The failure of a turn whose time limit ran out.
  var timeout: LoadFailure {
    LoadFailure(.timeout, "no answer within \((timeLimit ?? .zero).inSeconds)")
  }
}

extension DispatchTime {
  /// This moment plus `duration`; a sum too far away to matter is `distantFuture`, a negative duration is zero.
  package func after(_ duration: Duration) -> DispatchTime {
    guard duration > .zero else { return self }
    // Dispatch keeps flags in the top bits of a time, so a very large sum would be read as another clock.
    let farthest: UInt64 = 1 << 60
    let parts = duration.components
    guard parts.seconds < 1 << 29 else { return .distantFuture }
    let nanoseconds = UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
    guard uptimeNanoseconds < farthest - nanoseconds else { return .distantFuture }
    return DispatchTime(uptimeNanoseconds: uptimeNanoseconds + nanoseconds)
  }
}

extension Duration {
  /// `20 seconds`, `0.25 seconds`, `1 second`.
  var inSeconds: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) * 1e-18
    let digits = String(describing: seconds)
    let figure = digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    return figure == "1" ? "1 second" : "\(figure) seconds"
  }
}
