/// Names the step that ended a chain early, and why.
public struct ChainFailure<Failure: Error>: Error {
  public let step: String
  /// The step's place, counted from 0.
  public let index: Int
  public let reason: RequestFailure<Failure>

  public init(step: String, index: Int, reason: RequestFailure<Failure>) {
    self.step = step
    self.index = index
    self.reason = reason
  }
}

extension ChainFailure: Equatable where Failure: Equatable {}

extension ChainFailure: CustomStringConvertible {
  public var description: String { "\(step): \(reason)" }
}

/// Tells how a chain ended.
public struct ChainReport<Output: Sendable, Failure: Error>: Sendable {
  /// What the last step gave, or the step that did not complete.
  public let result: Result<Output, ChainFailure<Failure>>
  /// How many steps completed.
  public let completed: Int
  /// Signals of steps that came when none was due, up to the end of the chain.
  public let ignored: IgnoredSignals

  init(_ report: RequestReport<any Parcelled, Failure>, names: [String], output: Output?) {
    let fault = report.faults.first
    completed = fault?.index ?? report.outcomes.count
    ignored = report.ignored
    if let fault {
      result = .failure(ChainFailure(step: names[fault.index], index: fault.index, reason: fault.failure))
    } else if let output {
      result = .success(output)
    } else {
      preconditionFailure("\(names.last ?? ""): the last step gave another type than the chain was made with")
    }
  }
}

extension ChainReport: Equatable where Output: Equatable, Failure: Equatable {}
