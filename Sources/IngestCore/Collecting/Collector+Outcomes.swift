import Dispatch

extension Collector {
  /// Gives the turns of `assets` in input order to a caller that may suspend but not block.
  ///
  /// Every iteration is a collection of its own, on a serial queue used for nothing else. A slow consumer slows the
  /// loader: a turn counts as untaken until the consumer has it, so no more than `window` assets run ahead. Leaving
  /// the iteration early, or cancelling its task, cancels what is in flight and ends the sequence; `control` reaches it
  /// from outside and leaves it to end in order. `finished` hears the report once, on that queue,
  /// before the sequence ends.
  ///
  /// ```swift
  /// for await turn in collector.outcomes(for: assets) { print(turn.index, turn.outcome) }
  /// ```
  public func outcomes(
    for assets: some Sequence<Asset> & Sendable, control: CollectionControl = CollectionControl(),
    onDegraded: @escaping PreviewHandler = { _, _, _ in }, finished: @escaping @Sendable (Report) -> Void = { _ in }
  ) -> some AsyncSequence<Turn, Never> & Sendable {
    OutcomeSequence(
      collector: self, assets: assets, control: control, onDegraded: onDegraded, finished: finished)
  }
}

/// Bridges one collector to `for await`.
private struct OutcomeSequence<Loader: AssetLoading, Assets: Sequence<Asset> & Sendable>: AsyncSequence, Sendable {
  typealias Element = Collector<Loader>.Turn
  typealias Failure = Never

  let collector: Collector<Loader>
  let assets: Assets
  let control: CollectionControl
  let onDegraded: Collector<Loader>.PreviewHandler
  let finished: @Sendable (CollectionReport) -> Void

  struct Iterator: AsyncIteratorProtocol {
    let lifeline: Lifeline<Element>

    mutating func next() async -> Element? {
      await lifeline.handOff.next()
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await lifeline.handOff.next()
    }
  }

  func makeAsyncIterator() -> Iterator {
    let stop = CollectionControl()
    let handOff = HandOff<Element> { stop.cancel() }
    DispatchQueue(label: "photo-ingest.outcomes").async {
      let link = control.whenCancelled { stop.cancel() }
      let report = collector.collect(assets, control: stop, onDegraded: onDegraded) { turn in
        // When the consumer has gone the stop is already set; the turns in flight end here, untaken.
        _ = handOff.give(turn)
      }
      control.forget(link)
      finished(report)
      handOff.finish()
    }
    return Iterator(lifeline: Lifeline(handOff))
  }
}

/// Closes the hand-off when the last copy of an iterator is gone: the only notice of a `break`.
private final class Lifeline<Element: Sendable>: Sendable {
  let handOff: HandOff<Element>

  init(_ handOff: HandOff<Element>) {
    self.handOff = handOff
  }

  deinit {
    handOff.close()
  }
}
