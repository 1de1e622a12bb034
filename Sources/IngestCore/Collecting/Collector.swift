/// Turns many two-step answers of a loader into one ordered run of outcomes, a bounded number of requests at a time.
///
/// A look-ahead loop: at most `window` requests are in flight or finished but not yet taken, and no more of them than a
/// `CostLimit` allows, so that a slow photo at the head of the line cannot fill memory; the loop waits for turn i
/// before it takes turn i + 1, so order is a property of the taker and not of the loader. A picture is kept only when
/// it is not degraded (or the request asked for the fast form only). A signal that comes when none is due is ignored
/// and reported, never counted for another turn. Memory does not grow with the number of assets.
///
/// What a loader does cannot hang the loop as long as there is a time limit; without one the loader's promise of
/// exactly one ending is trusted. `requestImage` itself must return at once: a loader that blocks there blocks the loop.
public struct Collector<Loader: AssetLoading>: Sendable {
  /// How one turn ended.
  public enum Outcome: Sendable {
    case original(Loader.Original)
    /// The degraded picture of a `fastFormat` request. No other mode ends with one.
    case standIn(Loader.Preview)
    /// With what is known or could be read of the original all the same.
    case failed(LoadFailure, salvage: Loader.Original?)
    case cancelled

    /// A failure of which nothing is left.
    public static func failed(_ failure: LoadFailure) -> Outcome { .failed(failure, salvage: nil) }
  }

  /// One asset and how its load ended.
  public struct Turn: Sendable {
    /// The place in the input, counted from 0 without gaps.
    public let index: Int
    public let asset: Asset
    public let outcome: Outcome
  }

  public typealias Report = CollectionReport
  /// Is shown a stand-in with its turn's index, on a thread of the loader.
  public typealias PreviewHandler = @Sendable (Int, Asset, Loader.Preview) -> Void

  let loader: Loader
  let window: Int
  let costLimit: CostLimit?
  let options: ImageRequestOptions
  let patience: Patience

  /// Prepares a collector; nothing is requested before it is given assets.
  ///
  /// - Parameters:
  ///   - window: The most requests that may be in flight or finished but untaken; at least 1.
  ///   - costLimit: What the requests in flight or finished but untaken may cost together.
  ///   - timeLimit: The net for a loader that never calls back, counted from the moment a turn is waited for; a loader
  ///     enforces its own finer limit. On expiry the request is cancelled and the turn fails with `timeout`.
  ///   - grace: How long after a stop the loop waits, in all, for the endings of the requests in flight.
  public init(
    loader: Loader, window: Int, costLimit: CostLimit? = nil, options: ImageRequestOptions = ImageRequestOptions(),
    timeLimit: Duration? = nil, grace: Duration = .seconds(3)
  ) {
    precondition(window >= 1, "a collector needs a window of at least one request")
    self.loader = loader
    self.window = window
    self.costLimit = costLimit
    self.options = options
    patience = Patience(timeLimit: timeLimit, grace: grace)
  }

  /// Loads every asset and hands the outcomes to `take` in the order of `assets`.
  ///
  /// Blocks the calling thread until the last turn has been taken. Requests are made and `take` runs on that thread;
  /// the sequence is asked for an asset only when the window has room for it. A picture is let go when `take` returns.
  ///
  /// After `control.cancel()` nothing new is begun; the turns in flight are still taken in order, as `cancelled` or as
  /// they really ended. When `take` throws, everything in flight is cancelled, its endings are awaited (no longer than
  /// the grace), and the error is thrown on.
  ///
  /// `onDegraded` has returned before its turn is taken, unless the turn was given up meanwhile.
  @available(*, noasync, message: "collect blocks its thread; iterate outcomes(for:) or use start instead")
  public func collect<Failure: Error>(
    _ assets: some Sequence<Asset>, control: CollectionControl = CollectionControl(),
    onDegraded: @escaping PreviewHandler = { _, _, _ in },
    take: (Turn) throws(Failure) -> Void
  ) throws(Failure) -> Report {
    // A control of its own, so that a throwing `take` stops this collection and no other under the same owner.
    let stop = CollectionControl()
    let line = SlotLine<Loader>()
    let tally = SignalTally()
    let link = control.whenCancelled { stop.cancel() }
    defer { control.forget(link) }
    _ = stop.whenCancelled { [loader] in line.cancelAll(with: loader) }

    var source = Source(assets.makeIterator())
    var report = Report()
    var budget = CostBudget(costLimit)
    while true {
      while line.count < window, !stop.isCancelled, let next = source.peek(),
        budget.takes(next, isAlone: line.first == nil), let (index, asset) = source.next()
      {
        let slot = RequestSlot<Loader>(
          index: index, asset: asset, options: options, tally: tally, onDegraded: onDegraded)
        begin(slot, in: line, stop: stop)
      }
      guard let slot = line.first else { break }
      do throws(Failure) {
        try takeTurn(of: slot, stop: stop, report: &report, take: take)
      } catch {
        stop.cancel()
        drain(line, stop: stop)
        throw error
      }
      line.removeFirst()
      budget.giveBackFirst()
    }
    report.wasCancelled = stop.isCancelled
    report.ignored = tally.snapshot
    return report
  }

  private func begin(_ slot: RequestSlot<Loader>, in line: SlotLine<Loader>, stop: CollectionControl) {
    line.append(slot)
    slot.begin(with: loader, options: options)
    // A stop that came while the id was still unknown could not reach this request.
    if stop.isCancelled { slot.cancel(with: loader) }
  }

  private func takeTurn<Failure: Error>(
    of slot: RequestSlot<Loader>, stop: CollectionControl, report: inout Report, take: (Turn) throws(Failure) -> Void
  ) throws(Failure) {
    let (outcome, isAbandoned) = slot.wait(patience: patience, control: stop, loader: loader)
    if isAbandoned { report.abandoned += 1 }
    report.turns += 1
    try take(Turn(index: slot.index, asset: slot.asset, outcome: outcome))
  }

  /// Awaits the endings of what is still in flight behind the turn that threw, then leaves nothing in line.
  private func drain(_ line: SlotLine<Loader>, stop: CollectionControl) {
    line.removeFirst()
    while let slot = line.first {
      _ = slot.wait(patience: patience, control: stop, loader: loader)
      line.removeFirst()
    }
  }
}

/// Numbers the elements of an iterator and never asks it again after its end. It asks for one ahead.
private struct Source<Base: IteratorProtocol> {
  private var base: Base
  private var index = 0
  private var ahead: Base.Element?
  private var isExhausted = false

  init(_ base: Base) {
    self.base = base
  }

  /// What `next` will give.
  mutating func peek() -> Base.Element? {
    if ahead == nil, !isExhausted {
      ahead = base.next()
      isExhausted = ahead == nil
    }
    return ahead
  }

  mutating func next() -> (Int, Base.Element)? {
    guard let element = peek() else { return nil }
    defer { index += 1 }
    ahead = nil
    return (index, element)
  }
}

extension Collector.Outcome: Equatable where Loader.Preview: Equatable, Loader.Original: Equatable {}
extension Collector.Turn: Equatable where Loader.Preview: Equatable, Loader.Original: Equatable {}
