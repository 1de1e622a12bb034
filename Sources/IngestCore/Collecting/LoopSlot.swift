import Dispatch

/// Holds one try of a strict loop: its result until it is taken, and the semaphore the loop waits on.
final class LoopSlot<Value: Sendable>: Sendable {
  typealias Answer = Result<Value, LoadFailure>

  private enum Phase: Sendable {
    case running
    case ended(Answer)
    case taken, givenUp
  }

  private let phase = Guarded(Phase.running)
  /// Initial value 0; the first answer signals it once. A stop signals it too: only to wake, `phase` decides.
  private let signal = DispatchSemaphore(value: 0)

  /// Takes the first answer; says what any other was.
  func end(_ answer: Answer) -> IgnoredSignal.Kind? {
    let ignored = phase.withLock { phase -> IgnoredSignal.Kind? in
      switch phase {
      case .running:
        phase = .ended(answer)
        return nil
      case .ended, .taken: return .repeated
      case .givenUp: return .late
      }
    }
    if ignored == nil { signal.signal() }
    return ignored
  }

  func wake() {
    signal.signal()
  }

  /// Blocks until there is an answer; nil for an answer that did not come in time.
  func wait(patience: Patience, control: CollectionControl) -> (answer: Answer?, end: Patience.End) {
    let end = patience.wait(for: signal, control: control) {
      phase.withLock { if case .ended = $0 { true } else { false } }
    }
    let answer = phase.withLock { phase -> Answer? in
      guard case .ended(let answer) = phase else {
        phase = .givenUp
        return nil
      }
      phase = .taken
      return answer
    }
    return (answer, end)
  }
}
