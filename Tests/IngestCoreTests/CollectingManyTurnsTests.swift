import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B1 against the look-ahead collector: order, window, time limits, memory.
@Suite(.timeLimit(.minutes(1))) struct CollectingManyTurnsTests {
  /// Answers before `requestImage` returns: no time limit can strike it, however busy the machine is.
  static let prompt = Script([.degraded(), .final()], isSynchronous: true)

  @Test(arguments: [0, 1, 2, 7])
  func `every asset has one turn, in input order`(count: Int) async {
    let assets = photos(count)
    let (gathered, report) = await ScriptedCollector(loader: ScriptedLoader(), window: 3).collected(assets)
    #expect(gathered.indices == Array(0..<count))
    #expect(gathered.turns.map(\.asset) == assets)
    #expect(gathered.outcomes == (0..<count).map { .original("original of \($0).jpg") })
    #expect(report.turns == count)
    #expect(!report.wasCancelled)
    #expect(report.ignored.total == 0)
  }

  @Test func `loads that finish in reverse are taken in input order`() async {
    let assets = photos(8)
    let gates = assets.map { _ in Gate() }
    var scripts: [Asset: Script] = [:]
    for (index, asset) in assets.enumerated() {
      let before: [ScriptedLoader.Step] = index == assets.count - 1 ? [] : [.hold(gates[index])]
      let after: [ScriptedLoader.Step] = index == 0 ? [] : [.open(gates[index - 1])]
      scripts[asset] = Script(before + [.degraded(), .final()] + after)
    }
    let (gathered, _) = await ScriptedCollector(loader: ScriptedLoader(scripts), window: 8).collected(assets)
    #expect(gathered.indices == Array(0..<8))
    #expect(gathered.outcomes == (0..<8).map { .original("original of \($0).jpg") })
    #expect(gathered.standIns.count == 8)
  }

  @Test(arguments: [1, 2, 5])
  func `no more than the window is in flight or finished but untaken`(window: Int) async {
    let ahead = Count()
    let loader = ScriptedLoader { _ in ahead.add() }
    let (gathered, _) = await ScriptedCollector(loader: loader, window: window).collected(photos(60)) { _ in
      ahead.add(-1)
    }
    #expect(gathered.indices == Array(0..<60))
    #expect(ahead.value == 0)
    // The loader was used to the full: the window is a bound, and it is reached.
    #expect(ahead.highest == window)
    #expect(loader.log.mostInFlight <= window)
  }

  @Test func `the loop waits for turn i while later turns are long finished`() async {
    let gate = Gate()
    let assets = photos(3)
    let finished = Count()
    let both = finished.gate(at: 2)
    let loader = ScriptedLoader([assets[0]: Script([.hold(gate), .final()])])
    let gathered = Gathered()
    async let end = onOwnThread {
      ScriptedCollector(loader: loader, window: 3).collect(
        assets, onDegraded: { index, _, _ in if index > 0 { finished.add() } }, take: gathered.take)
    }
    await both.passed()
    #expect(gathered.turns.isEmpty)
    gate.open()
    _ = await end
    #expect(gathered.indices == [0, 1, 2])
  }

  @Test func `take runs on the calling thread`() async {
    let marks = await onOwnThread {
      let key = DispatchSpecificKey<Int>()
      let queue = DispatchQueue(label: "caller")
      queue.setSpecific(key: key, value: 7)
      return queue.sync {
        var marks: [Int?] = []
        _ = ScriptedCollector(loader: ScriptedLoader(), window: 2).collect(photos(3)) { _ in
          marks.append(DispatchQueue.getSpecific(key: key))
        }
        return marks
      }
    }
    #expect(marks == [7, 7, 7])
  }

  @Test func `an asset is asked for only when the window has room`() async {
    let pulled = Count()
    let lead = Count()
    await onOwnThread {
      var left = photos(20)[...]
      let source = AnyIterator {
        guard let asset = left.popFirst() else { return nil as Asset? }
        lead.add()
        pulled.add()
        return asset
      }
      _ = ScriptedCollector(loader: ScriptedLoader(), window: 4).collect(IteratorSequence(source)) { _ in lead.add(-1) }
    }
    #expect(pulled.value == 20)
    #expect(lead.highest == 4)
  }

  @Test func `a loader that never calls back costs its turn and no other`() async {
    let assets = photos(4)
    let loader = ScriptedLoader([assets[1]: .never], fallback: Self.prompt)
    let collector = ScriptedCollector(loader: loader, window: 2, timeLimit: .milliseconds(50))
    let (gathered, report) = await collector.collected(assets)
    #expect(
      gathered.outcomes == [
        .original("original of 0.jpg"), .failed(LoadFailure(.timeout, "no answer within 0.05 seconds")),
        .original("original of 2.jpg"), .original("original of 3.jpg"),
      ])
    #expect(report.abandoned == 1)
    #expect(report.turns == 4)
    #expect(loader.log.cancelled == [assets[1]])
  }

  @Test func `only a stand-in is no ending`() async {
    let assets = photos(2)
    let loader = ScriptedLoader(
      [assets[0]: Script([.degraded("quick")], isSynchronous: true, ignoresCancel: true)], fallback: Self.prompt)
    let collector = ScriptedCollector(loader: loader, window: 1, timeLimit: .milliseconds(50))
    let (gathered, _) = await collector.collected(assets)
    #expect(gathered.outcomes.first == .failed(LoadFailure(.timeout, "no answer within 0.05 seconds")))
    #expect(gathered.outcomes.last == .original("original of 1.jpg"))
    #expect(gathered.standIns == ["0: quick", "1: stand-in of 1.jpg"])
  }

  @Test func `only another request's ending is no ending`() async {
    let assets = photos(2)
    let loader = ScriptedLoader(
      [assets[0]: Script([.underWrongID(.final("another"))], isSynchronous: true, ignoresCancel: true)],
      fallback: Self.prompt)
    let collector = ScriptedCollector(loader: loader, window: 1, timeLimit: .milliseconds(50))
    let (gathered, report) = await collector.collected(assets)
    #expect(gathered.outcomes.first == .failed(LoadFailure(.timeout, "no answer within 0.05 seconds")))
    #expect(gathered.outcomes.last == .original("original of 1.jpg"))
    #expect(report.ignored.wrongID == 1)
    #expect(report.ignored.first == IgnoredSignal(kind: .wrongID, index: 0))
  }

  @Test func `a late answer is counted as late and shifts nothing`() async {
    let assets = photos(3)
    let isGivenUp = Gate()
    let isLate = Gate()
    let late: [ScriptedLoader.Step] = [.degraded("late"), .final("late"), .final("later"), .open(isLate)]
    let loader = ScriptedLoader(
      [assets[0]: Script([.hold(isGivenUp)] + late, ignoresCancel: true)], fallback: Self.prompt)
    let collector = ScriptedCollector(loader: loader, window: 2, timeLimit: .milliseconds(50))
    let (gathered, report) = await collector.collected(assets) { turn in
      guard turn.index == 0 else { return }
      isGivenUp.open()
      isLate.wait()
    }
    #expect(gathered.outcomes.first == .failed(LoadFailure(.timeout, "no answer within 0.05 seconds")))
    #expect(Array(gathered.outcomes.dropFirst()) == [.original("original of 1.jpg"), .original("original of 2.jpg")])
    #expect(report.ignored.late == 3)
    #expect(report.ignored.total == 3)
    #expect(!gathered.standIns.contains("0: late"))
  }

  @Test func `a loader that answers the cancel of a time limit has done nothing wrong`() async {
    let assets = photos(2)
    let loader = ScriptedLoader([assets[0]: .untilCancelled], fallback: Self.prompt)
    let collector = ScriptedCollector(loader: loader, window: 2, timeLimit: .milliseconds(50))
    let isAnswered = loader.cancelsAnswered.gate(at: 1)
    let (gathered, report) = await collector.collected(assets) { _ in isAnswered.wait() }
    #expect(gathered.outcomes.first == .failed(LoadFailure(.timeout, "no answer within 0.05 seconds")))
    #expect(report.ignored.total == 0)
    #expect(report.abandoned == 1)
  }

  @Test func `a second signal that comes while a later turn is waited for ends nothing`() async {
    let assets = photos(2)
    let isWaitedFor = Gate()
    let isRepeated = Gate()
    let loader = ScriptedLoader(
      [
        assets[0]: Script([.final(), .hold(isWaitedFor), .final("another"), .degraded(), .open(isRepeated)]),
        assets[1]: Script([.open(isWaitedFor), .hold(isRepeated), .final()]),
      ])
    let (gathered, report) = await ScriptedCollector(loader: loader, window: 1).collected(assets)
    #expect(gathered.outcomes == [.original("original of 0.jpg"), .original("original of 1.jpg")])
    #expect(report.ignored.repeated == 1 && report.ignored.degradedAfterEnding == 1 && report.ignored.total == 2)
    #expect(report.ignored.first == IgnoredSignal(kind: .repeated, index: 0))
    #expect(!gathered.standIns.contains("0: stand-in of 0.jpg"))
  }

  @Test func `the time limit of a turn begins when it is waited for`() async {
    // Turn 1 is asked for together with turn 0 and answers only after turn 0 used its whole limit up.
    let assets = photos(2)
    let isGivenUp = Gate()
    let loader = ScriptedLoader([assets[0]: .never, assets[1]: Script([.hold(isGivenUp), .final()])])
    let collector = ScriptedCollector(loader: loader, window: 2, timeLimit: .seconds(2))
    let (gathered, _) = await collector.collected(assets) { turn in
      if turn.index == 0 { isGivenUp.open() }
    }
    #expect(gathered.outcomes.last == .original("original of 1.jpg"))
  }

  @Test func `ten thousand assets keep their order`() async {
    let assets = photos(10_000)
    let bad = LoadFailure(.corrupt, "broken")
    var scripts: [Asset: Script] = [:]
    for index in stride(from: 0, to: 10_000, by: 7) { scripts[assets[index]] = Script([.fail(bad)]) }
    for index in stride(from: 3, to: 10_000, by: 7) {
      scripts[assets[index]] = Script([.degraded(), .final()], isSynchronous: true)
    }
    let (gathered, report) = await ScriptedCollector(loader: ScriptedLoader(scripts), window: 8).collected(assets)
    #expect(report.turns == 10_000)
    let wrong = gathered.turns.enumerated().filter { place, turn in
      let expected: ScriptedCollector.Outcome =
        place % 7 == 0 ? .failed(bad) : .original("original of \(place).jpg")
      return turn.index != place || turn.asset != assets[place] || turn.outcome != expected
    }
    #expect(wrong.isEmpty)
  }

  @Test func `pictures are let go once they are taken`() async {
    let alive = Count()
    let loader = CountedLoader(alive: alive)
    let most = await onOwnThread {
      var most = 0
      _ = Collector(loader: loader, window: 3).collect(photos(50)) { _ in most = max(most, alive.value) }
      return most
    }
    // The window, and the one original that the callback may still be returning from.
    #expect(most <= 4)
    #expect(alive.value == 0)
  }
}

/// Gives originals that count themselves, and keeps every callback for ever.
private struct CountedLoader: AssetLoading {
  final class Picture: Sendable {
    let alive: Count
    init(_ alive: Count) {
      self.alive = alive
      alive.add()
    }
    deinit { alive.add(-1) }
  }

  let alive: Count
  let lastID = Count()

  func requestImage(
    for asset: Asset, options: ImageRequestOptions,
    resultHandler: @escaping @Sendable (ImageRequestID, LoadEvent<Never, Picture>) -> Void
  ) -> ImageRequestID {
    let id = ImageRequestID(UInt64(lastID.add()))
    CallbackStore.shared.keep(resultHandler)
    resultHandler(id, .final(Picture(alive)))
    return id
  }

  func cancelImageRequest(_ id: ImageRequestID) {}
}

private final class CallbackStore: Sendable {
  static let shared = CallbackStore()
  private let kept = Gathering<@Sendable (ImageRequestID, LoadEvent<Never, CountedLoader.Picture>) -> Void>()

  func keep(_ handler: @escaping @Sendable (ImageRequestID, LoadEvent<Never, CountedLoader.Picture>) -> Void) {
    kept.add(handler)
  }
}
