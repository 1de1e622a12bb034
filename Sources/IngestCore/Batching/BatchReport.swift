/// Names what the observers of a batch hear, in this order, each once.
public enum BatchEvent: Hashable, Sendable, CaseIterable {
  case willStart, willStop, didStop
}

/// Says why a batch did not start. No member was started then.
public enum BatchRefusal: Error, Hashable, Sendable {
  /// A member had been started before, alone or in another batch.
  case memberStarted(name: String, index: Int)
  /// One request stands at two places.
  case givenTwice(name: String, first: Int, again: Int)
  /// The batch itself had been started.
  case batchStarted
}

extension BatchRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .memberStarted(let name, let index): "\(name): member \(index) of the batch has been started before"
    case .givenTwice(let name, let first, let again):
      "\(name): given twice to one batch, as members \(first) and \(again)"
    case .batchStarted: "a batch can be started once"
    }
  }
}

/// Tells how a batch ended.
public struct BatchReport<Value: Sendable, Failure: Error>: Sendable {
  public enum Ending: Sendable {
    case succeeded
    /// The first failure. Every other request that did not succeed is told as cancelled.
    case failed(RequestFault<Failure>)
    /// The owner stopped it before all had succeeded.
    case cancelled
  }

  public let ending: Ending
  /// All of them, in their first order, each with its outcome.
  public let requests: [Request<Value, Failure>]
  /// How each request ended, in the same order; and the signals that were ignored.
  public let details: RequestReport<Value, Failure>

  init(_ report: RequestReport<Value, Failure>, requests: [Request<Value, Failure>]) {
    details = report
    self.requests = requests
    ending =
      if let cause = report.cause { .failed(cause) } else if report.values == nil { .cancelled } else { .succeeded }
  }
}

extension BatchReport.Ending: Equatable where Failure: Equatable {}
