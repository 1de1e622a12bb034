public import Dispatch

extension Collector {
  /// Collects without blocking the caller and, when the last turn is over, runs `followUp` exactly once.
  ///
  /// The loop blocks a serial queue that is made for this call and used for nothing else. `keep` runs there, in input
  /// order; what it returns is all that is held of a turn. `followUp` gets the kept values in input order, on `queue`.
  public func start<Value: Sendable>(
    _ assets: some Sequence<Asset> & Sendable, control: CollectionControl = CollectionControl(),
    onDegraded: @escaping PreviewHandler = { _, _, _ in },
    keep: @escaping @Sendable (Turn) -> Value,
    notify queue: DispatchQueue, followUp: @escaping @Sendable ([Value], Report) -> Void
  ) {
    DispatchQueue(label: "photo-ingest.collector").async {
      var kept: [Value] = []
      let report = collect(assets, control: control, onDegraded: onDegraded) { turn in kept.append(keep(turn)) }
      queue.async { [kept] in followUp(kept, report) }
    }
  }
}
