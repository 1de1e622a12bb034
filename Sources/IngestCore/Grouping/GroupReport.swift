/// Tells how a group ended: without a failure, or with all of them.
public struct GroupReport<Failure: Error>: Sendable {
  /// How many requests the group had.
  public let count: Int
  /// Every request that failed, in the order of the requests, whatever the order in which they did.
  public let errors: [RequestFault<Failure>]
  /// Whether the owner stopped the group before it had ended.
  public let wasCancelled: Bool
  /// Requests that were given up without an ending: time limits, and stops that were not answered.
  public let abandoned: Int
  /// Signals that came when none was due, up to the end. No handler heard them.
  public let ignored: IgnoredSignals

  public var succeeded: Bool { errors.isEmpty }

  init(_ report: RequestReport<GroupDelivery, Failure>) {
    count = report.outcomes.count
    errors = report.faults
    wasCancelled = report.wasCancelled
    abandoned = report.abandoned
    ignored = report.ignored
  }
}

extension GroupReport: Equatable where Failure: Equatable {}
