public import Dispatch

/// Works on many items at once and puts the result of item i into slot i, in whatever order they finish.
///
/// Every slot has exactly one final state; a second signal is ignored and counted. When all slots are final the report
/// says, by the policy for partial lists, which list may be handed on: never a shifted one.
///
/// ```swift
/// ResultSlots(limits: RequestLimits(atOnce: 8), partial: .mark).start(photos, task: { photo, _, done in
///   upload(photo, done)
/// }, notify: .main) { report in
///   if let list = report.list { post(list) }
/// }
/// ```
public struct ResultSlots: Sendable {
  /// Says what becomes of a list of which a slot failed.
  public enum PartialPolicy: Hashable, Sendable, CaseIterable {
    /// There is no list. The other items are still worked on: their results are good, and stand in their slots.
    case stop
    /// The list is handed on, with the failure stated in its slot.
    case mark
  }

  public var limits: RequestLimits
  public var partial: PartialPolicy

  /// - Parameter limits: Three at once by default, and without a time limit.
  public init(limits: RequestLimits = RequestLimits(atOnce: 3), partial: PartialPolicy = .stop) {
    self.limits = limits
    self.partial = partial
  }

  /// Starts the work and returns at once; `followUp` hears the report, once, on `queue`.
  ///
  /// Items begin in order, on a queue made for this call: `task` starts the work for the item at a place and returns at
  /// once, with a way to cancel it if there is one. `onFinal` hears each slot's state as soon as it is final, on the
  /// thread that brings it. After a stop of `control` nothing new begins and no list is handed on.
  public func start<Item: Sendable, Value: Sendable, Failure: Error>(
    _ items: [Item], control: CollectionControl = CollectionControl(),
    task:
      @escaping @Sendable (_ item: Item, _ index: Int, _ done: @escaping RequestCompletion<Value, Failure>)
      -> RequestCancel?,
    onFinal: @escaping @Sendable (_ index: Int, _ outcome: RequestOutcome<Value, Failure>) -> Void = { _, _ in },
    notify queue: DispatchQueue, followUp: @escaping @Sendable (SlotReport<Value, Failure>) -> Void
  ) {
    let partial = partial
    RequestRun<Value, Failure>(
      count: items.count, limits: limits,
      script: .init(
        start: { index, done in task(items[index], index, done) },
        heard: onFinal,
        ended: { report in
          let ended = SlotReport(report, partial: partial)
          queue.async { followUp(ended) }
        })
    ).start(control: control)
  }

  /// Does the work for a caller that may suspend; resumes once. Cancelling the task cancels what is in flight.
  public func run<Item: Sendable, Value: Sendable, Failure: Error>(
    _ items: [Item], control: CollectionControl = CollectionControl(),
    task:
      @escaping @Sendable (_ item: Item, _ index: Int, _ done: @escaping RequestCompletion<Value, Failure>)
      -> RequestCancel?,
    onFinal: @escaping @Sendable (_ index: Int, _ outcome: RequestOutcome<Value, Failure>) -> Void = { _, _ in }
  ) async -> SlotReport<Value, Failure> {
    let stop = CollectionControl()
    let link = control.whenCancelled { stop.cancel() }
    defer { control.forget(link) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(
          items, control: stop, task: task, onFinal: onFinal, notify: DispatchQueue(label: "photo-ingest.slots")
        ) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      stop.cancel()
    }
  }
}
