/// Tells what stands in every slot, and which list may be handed on.
public struct SlotReport<Value: Sendable, Failure: Error>: Sendable {
  /// One final state an item, in the order of the items.
  public let slots: [RequestOutcome<Value, Failure>]
  /// The slots that failed, in order.
  public let faults: [RequestFault<Failure>]
  /// What may be handed on: every slot, in order, or nothing. Nothing when a slot failed and the policy is to stop, and
  /// nothing when the owner stopped the work before all of it was done.
  public let list: [RequestOutcome<Value, Failure>]?
  /// Whether the owner stopped the work before all of it was done.
  public let wasCancelled: Bool
  /// Items that were given up without an ending: time limits, and stops that were not answered.
  public let abandoned: Int
  /// Signals that came when none was due, up to the end. None was put into another slot.
  public let ignored: IgnoredSignals

  /// The values, in order, when every slot has one.
  public var values: [Value]? { faults.isEmpty ? slots.compactMap { try? $0.get() } : nil }

  init(_ report: RequestReport<Value, Failure>, partial: ResultSlots.PartialPolicy) {
    slots = report.outcomes
    faults = report.faults
    let isWhole = faults.isEmpty
    wasCancelled = report.wasCancelled && !isWhole
    list = isWhole || (partial == .mark && !wasCancelled) ? slots : nil
    abandoned = report.abandoned
    ignored = report.ignored
  }
}

extension SlotReport: Equatable where Value: Equatable, Failure: Equatable {}
