import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds the ways a collection ends early against it: the owner's stop and a taker that throws.
@Suite(.timeLimit(.minutes(1))) struct CollectingStopTests {
  @Test func `a stop from another thread wakes a loop that waits`() async {
    let begun = Count()
    let all = begun.gate(at: 3)
    let loader = ScriptedLoader(fallback: .untilCancelled) { _ in begun.add() }
    let control = CollectionControl()
    async let end = ScriptedCollector(loader: loader, window: 3).collected(photos(100), control: control)
    await all.passed()
    control.cancel()
    let (gathered, report) = await end
    #expect(gathered.indices == [0, 1, 2])
    #expect(gathered.outcomes == [.cancelled, .cancelled, .cancelled])
    #expect(report.wasCancelled)
    #expect(report.abandoned == 0)
    #expect(loader.log.requested.count == 3)
    // Each once, in no promised order: a request whose id was not known yet is cancelled by the loop itself.
    #expect(loader.log.cancelled.count == 3)
    #expect(Set(loader.log.cancelled) == Set(photos(3)))
    #expect(loader.log.inFlight == 0)
    #expect(control.isCancelled)
  }

  @Test func `turns that had finished before the stop keep their pictures`() async {
    let assets = photos(3)
    let done = Gate()
    let loader = ScriptedLoader(
      [assets[1]: Script([.final(), .open(done)])], fallback: .untilCancelled)
    let control = CollectionControl()
    async let end = ScriptedCollector(loader: loader, window: 3).collected(assets, control: control)
    await done.passed()
    control.cancel()
    let (gathered, _) = await end
    #expect(gathered.outcomes.prefix(2) == [.cancelled, .original("original of 1.jpg")])
  }

  @Test func `a loader that ignores the stop holds the loop no longer than the grace`() async {
    let begun = Count()
    let all = begun.gate(at: 16)
    let loader = ScriptedLoader(fallback: .never) { _ in begun.add() }
    let control = CollectionControl()
    let collector = ScriptedCollector(loader: loader, window: 16, grace: .milliseconds(500))
    async let end = collector.collected(photos(30), control: control)
    await all.passed()
    let clock = ContinuousClock()
    let start = clock.now
    control.cancel()
    let (gathered, report) = await end
    let took = clock.now - start
    #expect(gathered.outcomes == Array(repeating: .cancelled, count: 16))
    #expect(report.abandoned == 16)
    // Asked once each, although the loop gave each up after the stop had asked already.
    #expect(loader.log.cancelled == photos(16))
    // The grace is shared: sixteen turns do not wait sixteen times, which would be eight seconds.
    #expect(took < .seconds(5))
    #expect(took >= .milliseconds(500))
  }

  @Test func `a control that was stopped before lets nothing begin`() async {
    let loader = ScriptedLoader()
    let control = CollectionControl()
    control.cancel()
    let (gathered, report) = await ScriptedCollector(loader: loader, window: 3).collected(photos(3), control: control)
    #expect(gathered.turns.isEmpty)
    #expect(report.wasCancelled)
    #expect(loader.log.requested.isEmpty)
  }

  @Test func `the taker itself may stop the rest`() async {
    let assets = photos(10)
    let loader = ScriptedLoader([assets[0]: Script([.final()])], fallback: .untilCancelled)
    let control = CollectionControl()
    let (gathered, _) = await ScriptedCollector(loader: loader, window: 4).collected(assets, control: control) { turn in
      if turn.index == 0 { control.cancel() }
    }
    #expect(gathered.outcomes == [.original("original of 0.jpg"), .cancelled, .cancelled, .cancelled])
    #expect(loader.log.requested.count == 4)
  }

  @Test func `a stop inside requestImage reaches the request whose id is not known yet`() async {
    let control = CollectionControl()
    let loader = ScriptedLoader(fallback: .untilCancelled) { _ in control.cancel() }
    let (gathered, report) = await ScriptedCollector(loader: loader, window: 3).collected(photos(3), control: control)
    #expect(gathered.outcomes == [.cancelled])
    #expect(report.abandoned == 0)
    #expect(loader.log.cancelled == photos(1))
  }

  @Test func `one control stops several collections`() async {
    let begun = Count()
    let all = begun.gate(at: 4)
    let control = CollectionControl()
    let loader = ScriptedLoader(fallback: .untilCancelled) { _ in begun.add() }
    let collector = ScriptedCollector(loader: loader, window: 2)
    async let first = collector.collected(photos(5), control: control)
    async let second = collector.collected(photos(5), control: control)
    await all.passed()
    control.cancel()
    let ends = await [first, second]
    #expect(ends.map(\.0.outcomes) == [[.cancelled, .cancelled], [.cancelled, .cancelled]])
  }

  @Test func `a stop after the end does nothing`() async {
    let loader = ScriptedLoader()
    let control = CollectionControl()
    let (gathered, report) = await ScriptedCollector(loader: loader, window: 2).collected(photos(3), control: control)
    control.cancel()
    control.cancel()
    #expect(gathered.turns.count == 3)
    #expect(!report.wasCancelled)
    #expect(loader.log.cancelled.isEmpty)
  }

  @Test func `a take that throws cancels what is in flight and gives the permits back`() async {
    let assets = photos(10)
    let answers = Gate()
    let loader = ScriptedLoader(
      [assets[0]: .usual, assets[1]: .usual], fallback: Script([], cancelGate: answers))
    let control = CollectionControl()
    let gathered = Gathered()
    let elsewhere = DispatchQueue(label: "elsewhere")
    // The answers come long after the error was thrown: only a loop that awaits them has none in flight at its end.
    @Sendable func open(after hops: Int) {
      if hops == 0 { answers.open() } else { elsewhere.async { open(after: hops - 1) } }
    }
    let (failure, inFlight) = await onOwnThread {
      do throws(TakeFailure) {
        _ = try ScriptedCollector(loader: loader, window: 4).collect(assets, control: control) {
          turn throws(TakeFailure) in
          gathered.take(turn)
          if turn.index == 1 {
            open(after: 5_000)
            throw TakeFailure(index: 1)
          }
        }
        return (nil as TakeFailure?, 0)
      } catch {
        return (error, loader.log.inFlight)
      }
    }
    #expect(failure == TakeFailure(index: 1))
    #expect(gathered.indices == [0, 1])
    #expect(loader.log.requested == Array(assets.prefix(5)))
    #expect(loader.log.cancelled == Array(assets[2..<5]))
    // Every ending was awaited: nothing is in flight when the error arrives.
    #expect(inFlight == 0)
    // The owner's control is not touched: others may run under it.
    #expect(!control.isCancelled)
  }

  @Test func `a take that throws waits no longer than the grace for a loader that ignores the cancel`() async {
    let assets = photos(4)
    let loader = ScriptedLoader([assets[0]: .usual], fallback: .never)
    let collector = ScriptedCollector(loader: loader, window: 3, grace: .milliseconds(30))
    await #expect(throws: TakeFailure(index: 0)) {
      try await onOwnThread { () throws(TakeFailure) in
        _ = try collector.collect(assets) { turn throws(TakeFailure) in throw TakeFailure(index: turn.index) }
      }
    }
    #expect(loader.log.cancelled == Array(assets[1..<3]))
  }

  @Test func `stops that race with endings lose no turn`() async {
    for round in 0..<200 {
      let begun = Count()
      let some = begun.gate(at: 1 + round % 7)
      let control = CollectionControl()
      let loader = ScriptedLoader { _ in begun.add() }
      async let end = ScriptedCollector(loader: loader, window: 4).collected(photos(40), control: control)
      await some.passed()
      control.cancel()
      let (gathered, report) = await end
      #expect(gathered.indices == Array(0..<gathered.turns.count))
      #expect(gathered.turns.count == loader.log.requested.count)
      #expect(report.turns == gathered.turns.count)
      #expect(report.abandoned == 0)
      #expect(report.ignored.total == 0)
    }
  }
}
