public import Dispatch

extension SequentialLoop {
  /// Runs the loop without blocking the caller and, when the last turn is over, runs `followUp` exactly once.
  ///
  /// The loop blocks a serial queue that is made for this call and used for nothing else; `isWanted` and `task` run
  /// there. `followUp` gets all turns in input order, on `queue`.
  public func start<Item: Sendable, Value: Sendable>(
    _ items: some Sequence<Item> & Sendable, where isWanted: @escaping @Sendable (Item) -> Bool = { _ in true },
    control: CollectionControl = CollectionControl(),
    task: @escaping @Sendable (_ item: Item, _ attempt: Int, _ done: @escaping Done<Value>) -> Cancel?,
    notify queue: DispatchQueue, followUp: @escaping @Sendable ([LoopTurn<Item, Value>]) -> Void
  ) {
    DispatchQueue(label: "photo-ingest.sequential-loop").async {
      let turns = run(items, where: isWanted, control: control, task: task)
      queue.async { followUp(turns) }
    }
  }
}
