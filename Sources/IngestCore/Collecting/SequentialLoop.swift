/// Runs one asynchronous task after the other, each waited for before the next begins.
///
/// The strict form of the collector's loop: one task in flight, a turn skipped by a filter, or repeated until it
/// succeeds or its tries are used up. Every turn ends, as long as there is a time limit or the task keeps its promise
/// to call `done` once; a second call is ignored and reported with its turn, never counted for the next one.
public struct SequentialLoop: Sendable {
  /// Ends one try. May be called from any thread, also before the task's start has returned.
  public typealias Done<Value: Sendable> = @Sendable (Result<Value, LoadFailure>) -> Void
  /// Asks a running try to give up; it still ends by `done`.
  public typealias Cancel = @Sendable () -> Void

  let patience: Patience
  let attempts: Int

  /// - Parameters:
  ///   - timeLimit: The limit of one try; on expiry it is cancelled and counts as failed with `timeout`.
  ///   - attempts: How many tries a turn has; at least 1.
  ///   - grace: How long after a stop the loop waits for the ending of the try in flight.
  public init(timeLimit: Duration? = nil, attempts: Int = 1, grace: Duration = .seconds(3)) {
    precondition(attempts >= 1, "a turn needs at least one try")
    patience = Patience(timeLimit: timeLimit, grace: grace)
    self.attempts = attempts
  }

  /// Takes every item in turn and returns what became of each, in input order.
  ///
  /// Blocks the calling thread, on which `isWanted` and `task` run, until the last turn is over. `task` starts one try
  /// (counted from 1) and returns at once, with a way to cancel it if there is one. After `control.cancel()` no more
  /// tasks are started; the items left are stated as cancelled, so the list always has one entry an item.
  @available(*, noasync, message: "run blocks its thread; use start instead")
  public func run<Item, Value: Sendable>(
    _ items: some Sequence<Item>, where isWanted: (Item) -> Bool = { _ in true },
    control: CollectionControl = CollectionControl(),
    task: (_ item: Item, _ attempt: Int, _ done: @escaping Done<Value>) -> Cancel?
  ) -> [LoopTurn<Item, Value>] {
    let ignored = TurnTallies()
    var turns: [LoopTurn<Item, Value>] = []
    for (index, item) in items.enumerated() {
      guard !control.isCancelled else {
        turns.append(LoopTurn(index: index, item: item, outcome: .cancelled, attempts: 0))
        continue
      }
      guard isWanted(item) else {
        turns.append(LoopTurn(index: index, item: item, outcome: .skipped, attempts: 0))
        continue
      }
      let (outcome, tries) =
        repeatUntilDone(control: control) { attempt, slot in
          task(item, attempt) { answer in
            if let kind = slot.end(answer) { ignored.add(kind, index: index) }
          }
        } as (LoopTurn<Item, Value>.Outcome, Int)
      turns.append(LoopTurn(index: index, item: item, outcome: outcome, attempts: tries))
    }
    for (index, counts) in ignored.snapshot { turns[index].ignored = counts }
    return turns
  }

  private func repeatUntilDone<Item, Value: Sendable>(
    control: CollectionControl, start: (Int, LoopSlot<Value>) -> Cancel?
  ) -> (LoopTurn<Item, Value>.Outcome, Int) {
    var attempt = 1
    while true {
      let failure: LoadFailure
      switch oneTry(control: control, start: { start(attempt, $0) }) {
      case .success(let value): return (.succeeded(value), attempt)
      case .failure(let reason): failure = reason
      }
      // A failure after a stop is the stop's doing as far as anyone can tell.
      if control.isCancelled { return (.cancelled, attempt) }
      if attempt == attempts { return (.failed(failure), attempt) }
      attempt += 1
    }
  }

  private func oneTry<Value: Sendable>(
    control: CollectionControl, start: (LoopSlot<Value>) -> Cancel?
  ) -> Result<Value, LoadFailure> {
    let slot = LoopSlot<Value>()
    let cancel = start(slot)
    let link = control.whenCancelled {
      slot.wake()
      cancel?()
    }
    defer { control.forget(link) }
    let (answer, end) = slot.wait(patience: patience, control: control)
    if let answer { return answer }
    if end == .timedOut { cancel?() }
    return .failure(patience.timeout)
  }
}

/// Gathers the ignored signals of a loop by turn. Grows with the faults only.
private final class TurnTallies: Sendable {
  private let counts = Guarded<[Int: IgnoredSignals]>([:])

  func add(_ kind: IgnoredSignal.Kind, index: Int) {
    counts.withLock { $0[index, default: IgnoredSignals()].add(IgnoredSignal(kind: kind, index: index)) }
  }

  var snapshot: [Int: IgnoredSignals] {
    counts.withLock { $0 }
  }
}
