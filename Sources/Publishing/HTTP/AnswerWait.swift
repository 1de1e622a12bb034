internal import Dispatch
public import IngestCore

/// Waits for the one ending of a request, on a thread that may block. `end` comes from any thread, once.
public final class AnswerWait: Sendable {
  private let outcome = Guarded<RequestOutcome<HTTPAnswer, HTTPFailure>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  public init() {}

  /// Lets whoever waits go on with this ending.
  public func end(_ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>) {
    self.outcome.withLock { $0 = outcome }
    isThere.signal()
  }

  /// Blocks until the ending has come.
  @available(*, noasync, message: "take blocks its thread")
  public func take() -> RequestOutcome<HTTPAnswer, HTTPFailure> {
    isThere.wait()
    return ending
  }

  /// The same; asks ten times a second whether it is still wanted, and cancels once when it is not.
  @available(*, noasync, message: "take blocks its thread")
  public func take(
    _ isCancelled: () -> Bool, cancel: RequestCancel
  ) -> RequestOutcome<HTTPAnswer, HTTPFailure> {
    var isTold = false
    while isThere.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      guard !isTold, isCancelled() else { continue }
      isTold = true
      cancel()
    }
    return ending
  }

  private var ending: RequestOutcome<HTTPAnswer, HTTPFailure> {
    outcome.withLock { $0 } ?? .failure(.unanswered)
  }
}
