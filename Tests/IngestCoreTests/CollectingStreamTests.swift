import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds the forms that never block their caller: `outcomes(for:)` and `start`.
@Suite(.timeLimit(.minutes(1))) struct CollectingStreamTests {
  @Test(arguments: [0, 1, 50])
  func `for await gives every turn in input order, and the report before the end`(count: Int) async {
    let reports = Gathering<CollectionReport>()
    let collector = ScriptedCollector(loader: ScriptedLoader(), window: 4)
    var turns: [ScriptedCollector.Turn] = []
    for await turn in collector.outcomes(for: photos(count), finished: reports.add) { turns.append(turn) }
    #expect(turns.map(\.index) == Array(0..<count))
    #expect(turns.map(\.outcome) == (0..<count).map { .original("original of \($0).jpg") })
    #expect(reports.values.map(\.turns) == [count])
    #expect(reports.values.map(\.wasCancelled) == [false])
  }

  @Test func `every iteration is a collection of its own`() async {
    let loader = ScriptedLoader()
    let outcomes = ScriptedCollector(loader: loader, window: 2).outcomes(for: photos(3))
    for _ in 0..<2 {
      var indices: [Int] = []
      for await turn in outcomes { indices.append(turn.index) }
      #expect(indices == [0, 1, 2])
    }
    #expect(loader.log.requested == photos(3) + photos(3))
  }

  @Test func `a slow consumer slows the loader`() async {
    let begun = Count()
    let lead = Count()
    let loader = ScriptedLoader { _ in
      begun.add()
      lead.add()
    }
    let outcomes = ScriptedCollector(loader: loader, window: 3).outcomes(for: photos(40))
    var consumed = 0
    for await _ in outcomes {
      consumed += 1
      // Let the loader come as far as it can before the next turn is asked for.
      await begun.gate(at: min(consumed + 2, 40)).passed()
      lead.add(-1)
    }
    #expect(consumed == 40)
    // The window, and the turn that the consumer is still busy with.
    #expect(lead.highest <= 4)
  }

  @Test func `leaving early cancels the rest`() async {
    let assets = photos(30)
    let reports = Gathering<CollectionReport>()
    let isOver = Gate()
    let loader = ScriptedLoader([assets[0]: .usual, assets[1]: .usual], fallback: .untilCancelled)
    let collector = ScriptedCollector(loader: loader, window: 3)
    let outcomes = collector.outcomes(
      for: assets,
      finished: { report in
        reports.add(report)
        isOver.open()
      })
    for await turn in outcomes where turn.index == 1 { break }
    await isOver.passed()
    #expect(loader.log.requested.count <= 5)
    #expect(Set(loader.log.cancelled) == Set(loader.log.requested.dropFirst(2)))
    #expect(loader.log.inFlight == 0)
    #expect(reports.values.map(\.wasCancelled) == [true])
  }

  @Test func `leaving before the first turn cancels everything`() async {
    let isOver = Gate()
    let loader = ScriptedLoader(fallback: .untilCancelled)
    do {
      let collector = ScriptedCollector(loader: loader, window: 3)
      let outcomes = collector.outcomes(for: photos(9), finished: { _ in isOver.open() })
      _ = outcomes.makeAsyncIterator()
    }
    await isOver.passed()
    #expect(loader.log.inFlight == 0)
    #expect(loader.log.requested == loader.log.cancelled)
  }

  @Test func `a cancelled task ends the sequence and cancels the rest`() async {
    let begun = Count()
    let all = begun.gate(at: 3)
    let isOver = Gate()
    let loader = ScriptedLoader(fallback: .untilCancelled) { _ in begun.add() }
    let collector = ScriptedCollector(loader: loader, window: 3)
    let task = Task {
      var taken = 0
      for await _ in collector.outcomes(for: photos(9), finished: { _ in isOver.open() }) { taken += 1 }
      return taken
    }
    await all.passed()
    task.cancel()
    #expect(await task.value == 0)
    await isOver.passed()
    #expect(loader.log.cancelled == photos(3))
    #expect(loader.log.inFlight == 0)
  }

  @Test func `a stop from outside lets the turns in flight arrive`() async {
    let assets = photos(9)
    let control = CollectionControl()
    let loader = ScriptedLoader([assets[0]: Script([.final()])], fallback: .untilCancelled)
    let reports = Gathering<CollectionReport>()
    var outcomes: [ScriptedCollector.Outcome] = []
    let sequence = ScriptedCollector(loader: loader, window: 3)
      .outcomes(for: assets, control: control, finished: reports.add)
    for await turn in sequence {
      outcomes.append(turn.outcome)
      control.cancel()
    }
    #expect(outcomes.first == .original("original of 0.jpg"))
    #expect(outcomes.dropFirst().allSatisfy { $0 == .cancelled })
    #expect(outcomes.count == loader.log.requested.count)
    #expect(reports.values.map(\.wasCancelled) == [true])
  }

  @Test func `cancelled tasks that race with turns are each resumed once`() async {
    // A second resume traps, a missing one runs into the time limit.
    for round in 0..<300 {
      let begun = Count()
      let some = begun.gate(at: 1 + round % 9)
      let isOver = Gate()
      let loader = ScriptedLoader { _ in begun.add() }
      let collector = ScriptedCollector(loader: loader, window: 3)
      let task = Task {
        var indices: [Int] = []
        for await turn in collector.outcomes(for: photos(20), finished: { _ in isOver.open() }) {
          indices.append(turn.index)
        }
        return indices
      }
      await some.passed()
      task.cancel()
      let indices = await task.value
      #expect(indices == Array(0..<indices.count))
      await isOver.passed()
      #expect(loader.log.inFlight == 0)
    }
  }

  @Test func `start follows up exactly once with all results in input order`() async {
    let assets = photos(20)
    let bad = LoadFailure(.empty, "the file is empty")
    let loader = ScriptedLoader(
      [assets[3]: Script([.fail(bad)], isSynchronous: true), assets[5]: .never],
      fallback: Script([.final()], isSynchronous: true))
    let collector = ScriptedCollector(loader: loader, window: 4, timeLimit: .milliseconds(50))
    let followUps = Count()
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "follow-up")
    queue.setSpecific(key: key, value: true)
    let (words, report, isThere) = await withCheckedContinuation { continuation in
      collector.start(assets, keep: { "\($0.index) \($0.outcome)" }, notify: queue) { words, report in
        followUps.add()
        continuation.resume(returning: (words, report, DispatchQueue.getSpecific(key: key)))
      }
    }
    #expect(words.count == 20)
    #expect(words.enumerated().allSatisfy { $1.hasPrefix("\($0) ") })
    #expect(words[3].contains("the file is empty"))
    #expect(words[5].contains("no answer within 0.05 seconds"))
    #expect(report.turns == 20)
    #expect(isThere == true)
    await onOwnThread { queue.sync {} }
    #expect(followUps.value == 1)
  }

  @Test func `start with no asset follows up once, with an empty list`() async {
    let followUps = Count()
    let queue = DispatchQueue(label: "follow-up")
    let (words, report) = await withCheckedContinuation { continuation in
      ScriptedCollector(loader: ScriptedLoader(), window: 2).start(photos(0), keep: \.index, notify: queue) {
        followUps.add()
        continuation.resume(returning: ($0, $1))
      }
    }
    #expect(words.isEmpty && report == CollectionReport())
    await onOwnThread { queue.sync {} }
    #expect(followUps.value == 1)
  }

  @Test func `start returns while the first turn is still out`() async {
    let gate = Gate()
    let isOver = Gate()
    let loader = ScriptedLoader(fallback: Script([.hold(gate), .final()]))
    let queue = DispatchQueue(label: "follow-up")
    ScriptedCollector(loader: loader, window: 1).start(photos(2), keep: \.index, notify: queue) { indices, _ in
      if indices == [0, 1] { isOver.open() }
    }
    // Reached only because start did not wait.
    #expect(!isOver.isOpen)
    gate.open()
    await isOver.passed()
  }

  @Test func `many collections at once do not starve each other`() async {
    // More blocked loops than processors: each owns its thread, so none waits for a pool to grow.
    let loader = ScriptedLoader()
    let totals = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<32 {
        group.addTask {
          var count = 0
          for await _ in ScriptedCollector(loader: loader, window: 2).outcomes(for: photos(20)) { count += 1 }
          return count
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(totals == Array(repeating: 20, count: 32))
  }
}
