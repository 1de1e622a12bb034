import Dispatch

/// Holds one turn of a collection: its request, its ending until it is taken, and the semaphore its loop waits on.
///
/// The callback of the request holds the slot, so an event finds its turn without the id. A slot that has been taken
/// or given up holds no picture, however long a loader keeps the callback.
final class RequestSlot<Loader: AssetLoading>: Sendable {
  typealias Outcome = Collector<Loader>.Outcome
  typealias PreviewHandler = @Sendable (Int, Asset, Loader.Preview) -> Void

  let index: Int
  let asset: Asset
  private let tally: SignalTally
  private let onDegraded: PreviewHandler
  private let progress: Guarded<RequestProgress<Loader>>
  /// Initial value 0; the ending signals it once. A stop signals it too: only to wake, `progress` decides.
  private let signal = DispatchSemaphore(value: 0)

  init(
    index: Int, asset: Asset, options: ImageRequestOptions, tally: SignalTally, onDegraded: @escaping PreviewHandler
  ) {
    self.index = index
    self.asset = asset
    self.tally = tally
    self.onDegraded = onDegraded
    progress = Guarded(RequestProgress(asset: asset, options: options))
  }

  /// Makes the request. The callback may run before this returns.
  func begin(with loader: Loader, options: ImageRequestOptions) {
    let id = loader.requestImage(for: asset, options: options) { [self] id, event in
      act(on: progress.withLock { $0.receive(event, id: id) })
    }
    act(on: progress.withLock { $0.adopt(id) })
  }

  /// Asks the loader, once, to give the request up, unless the ending is known.
  func cancel(with loader: Loader) {
    guard let id = progress.withLock({ $0.idToCancel() }) else { return }
    loader.cancelImageRequest(id)
  }

  /// Lets a waiting loop look again.
  func wake() {
    signal.signal()
  }

  /// Blocks until the turn is over and hands its outcome out; `isAbandoned` when the loader gave none in time.
  func wait(patience: Patience, control: CollectionControl, loader: Loader) -> (outcome: Outcome, isAbandoned: Bool) {
    let end = patience.wait(for: signal, control: control) { progress.withLock { $0.isOver } }
    if let outcome = progress.withLock({ end == .ended ? $0.take() : $0.giveUp() }) { return (outcome, false) }
    cancel(with: loader)
    return (end == .timedOut ? .failed(patience.timeout, salvage: nil) : .cancelled, true)
  }

  private func act(on effects: RequestProgress<Loader>.Effects) {
    for kind in effects.ignored { tally.add(kind, index: index) }
    if effects.signals { signal.signal() }
    guard effects.showsPreviews else { return }
    while true {
      switch progress.withLock({ $0.nextStep() }) {
      case .show(let preview): onDegraded(index, asset, preview)
      case .stop(let signals):
        if signals { signal.signal() }
        return
      }
    }
  }
}

/// Keeps the slots of a collection that are in flight or not yet taken, in input order.
final class SlotLine<Loader: AssetLoading>: Sendable {
  private let slots = Guarded<[RequestSlot<Loader>]>([])

  var count: Int { slots.withLock { $0.count } }
  var first: RequestSlot<Loader>? { slots.withLock { $0.first } }

  func append(_ slot: RequestSlot<Loader>) {
    slots.withLock { $0.append(slot) }
  }

  func removeFirst() {
    _ = slots.withLock { $0.removeFirst() }
  }

  /// Cancels every request in line. All slots are woken first, so a loader that is slow to cancel delays nobody.
  func cancelAll(with loader: Loader) {
    let inLine = slots.withLock { $0 }
    for slot in inLine { slot.wake() }
    for slot in inLine { slot.cancel(with: loader) }
  }
}
