/// Tells how a run of requests went: one outcome a request, in the order of the requests.
public struct RequestReport<Value: Sendable, Failure: Error>: Sendable {
  /// In the order of the requests, whatever the order in which they ended. As many as there were requests.
  public let outcomes: [RequestOutcome<Value, Failure>]
  /// The failure that ended the run for all: the first one, where the first one does. Nil when none did.
  public let cause: RequestFault<Failure>?
  /// Whether the owner stopped the run before it had ended.
  public let wasCancelled: Bool
  /// How many requests were given up: they had not answered a stop, or the end of their time, when the grace was over.
  public let abandoned: Int
  /// Signals that came when none was due, up to the moment the run ended. None was counted for another request.
  public let ignored: IgnoredSignals

  /// Every failure, in the order of the requests.
  public var faults: [RequestFault<Failure>] {
    outcomes.enumerated().compactMap { index, outcome in
      if case .failure(let failure) = outcome { RequestFault(index: index, failure: failure) } else { nil }
    }
  }

  /// The values in the order of the requests; nil when a single one is missing, so that the list is never shifted.
  public var values: [Value]? {
    var values: [Value] = []
    for case .success(let value) in outcomes { values.append(value) }
    return values.count == outcomes.count ? values : nil
  }
}

/// Names a request that failed, by its place, and why.
public struct RequestFault<Failure: Error>: Error {
  /// The place among the requests, counted from 0.
  public let index: Int
  public let failure: RequestFailure<Failure>

  public init(index: Int, failure: RequestFailure<Failure>) {
    self.index = index
    self.failure = failure
  }
}

extension RequestFault: Equatable where Failure: Equatable {}
extension RequestFault: Hashable where Failure: Hashable {}
extension RequestReport: Equatable where Value: Equatable, Failure: Equatable {}
