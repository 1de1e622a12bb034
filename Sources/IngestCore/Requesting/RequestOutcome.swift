/// Says why one request did not succeed.
public enum RequestFailure<Failure: Error>: Error {
  /// What the request itself reported.
  case reported(Failure)
  /// No ending came within this limit. The request was asked to give up; whatever it says later is late.
  case timedOut(limit: Duration)
  /// It was given up: by itself, by its owner, or because another request ended the run that both belonged to.
  case cancelled
  /// It let go of its completion without calling it, so no ending can come any more.
  case unanswered
}

extension RequestFailure: Equatable where Failure: Equatable {}
extension RequestFailure: Hashable where Failure: Hashable {}

extension RequestFailure: CustomStringConvertible {
  /// What happened, in words without the request's name.
  public var description: String {
    switch self {
    case .reported(let failure): String(describing: failure)
    case .timedOut(let limit): "no answer within \(limit.inSeconds)"
    case .cancelled: "cancelled"
    case .unanswered: "it ended without an answer"
    }
  }
}

/// How one request ended. There is exactly one for each.
public typealias RequestOutcome<Value, Failure: Error> = Result<Value, RequestFailure<Failure>>

/// Ends one request. May be called from any thread, also before the request's start has returned; only the first call
/// counts.
public typealias RequestCompletion<Value, Failure: Error> = @Sendable (RequestOutcome<Value, Failure>) -> Void

/// Asks a running request to give up, at most once; it still ends by its completion. Must return at once.
public typealias RequestCancel = @Sendable () -> Void

/// Starts one request and returns at once, with a way to cancel it if there is one.
///
/// Keep the completion until it is called: when its last copy is gone the request counts as `unanswered`.
public typealias RequestStart<Value, Failure: Error> =
  @Sendable (_ done: @escaping RequestCompletion<Value, Failure>) -> RequestCancel?
