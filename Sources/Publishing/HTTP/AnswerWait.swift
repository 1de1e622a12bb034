internal import Dispatch
internal import IngestCore

/// Waits for the one ending of a request, on a thread that may block.
final class AnswerWait: Sendable {
  private let outcome = Guarded<RequestOutcome<HTTPAnswer, HTTPFailure>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func end(_ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>) {
    self.outcome.withLock { $0 = outcome }
    isThere.signal()
  }

  @available(*, noasync, message: "take blocks its thread")
  func take() -> RequestOutcome<HTTPAnswer, HTTPFailure> {
    isThere.wait()
    return outcome.withLock { $0 } ?? .failure(.unanswered)
  }
}
