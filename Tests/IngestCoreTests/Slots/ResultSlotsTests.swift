import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B8 without its network: results in the slots of their items, a bounded number at once, never shifted.
@Suite(.timeLimit(.minutes(2))) struct ResultSlotsTests {
  typealias Report = SlotReport<String, RequestTrouble>

  static func ended(
    _ slots: ResultSlots, _ count: Int, _ requests: ScriptedRequests, control: CollectionControl = CollectionControl(),
    onFinal: @escaping @Sendable (Int, ScriptedOutcome) -> Void = { _, _ in }
  ) async throws -> Report {
    try await onceEnded { queue, followUp in
      slots.start(
        Array(0..<count), control: control, task: { item, _, done in requests.start(item, done) }, onFinal: onFinal,
        notify: queue, followUp: followUp)
    }
  }

  @Test(arguments: EndingCase.all, ResultSlots.PartialPolicy.allCases)
  func `every way to end gives one final state, in its own slot`(
    one: EndingCase, partial: ResultSlots.PartialPolicy
  ) async throws {
    let finals = Gathering<Int>()
    let report = try await Self.ended(
      ResultSlots(limits: one.limits, partial: partial), 4, one.requests(), onFinal: { index, _ in finals.add(index) })
    #expect(report.slots == [.success("value 0"), one.outcome, .success("value 2"), .success("value 3")])
    #expect(finals.values.sorted() == [0, 1, 2, 3])
    #expect(report.ignored == one.ignored(at: 1))
    #expect(report.abandoned == one.abandoned)
    // By policy a list with a failed slot states it, or there is none; a shifted one there never is.
    #expect(report.list == (one.isSuccess || partial == .mark ? report.slots : nil))
    #expect((report.values != nil) == one.isSuccess)
    #expect(report.faults.map(\.index) == (one.isSuccess ? [] : [1]))
  }

  @Test(arguments: [0, 1, 10_000]) func `the list is in the order of the items`(count: Int) async throws {
    let requests = ScriptedRequests()
    let report = try await Self.ended(ResultSlots(limits: RequestLimits(atOnce: 8)), count, requests)
    #expect(report.values == (0..<count).map { "value \($0)" })
    #expect(report.list?.count == count)
    #expect(requests.log.mostInFlight <= 8)
  }

  @Test func `ten thousand items that end inside their start do not deepen the stack`() async throws {
    let report = try await Self.ended(ResultSlots(), 10_000, ScriptedRequests(fallback: .prompt))
    #expect(report.values?.count == 10_000)
  }

  @Test(arguments: [1, 2, 5]) func `no more than the bound are in flight, and the bound is reached`(
    bound: Int
  ) async throws {
    let begun = Count()
    let full = begun.gate(at: bound)
    let requests = ScriptedRequests(
      fallback: RequestScript([.hold(full), .succeed()]), onStart: { _ in begun.add() })
    let report = try await Self.ended(ResultSlots(limits: RequestLimits(atOnce: bound)), 40, requests)
    #expect(report.values?.count == 40)
    #expect(requests.log.mostInFlight == bound)
    #expect(requests.log.started == Array(0..<40))
  }

  @Test func `items that finish in reverse stand in their own slots`() async throws {
    let gates = (0..<8).map { _ in Gate() }
    var scripts: [Int: RequestScript] = [:]
    for index in 0..<8 {
      let before: [ScriptedRequests.Step] = index == 7 ? [] : [.hold(gates[index])]
      let after: [ScriptedRequests.Step] = index == 0 ? [] : [.open(gates[index - 1])]
      let end: ScriptedRequests.Step = index % 3 == 1 ? .fail(.broken(index)) : .succeed()
      scripts[index] = RequestScript(before + [end] + after)
    }
    let finals = Gathering<Int>()
    let report = try await Self.ended(
      ResultSlots(limits: RequestLimits(atOnce: 8), partial: .mark), 8, ScriptedRequests(scripts),
      onFinal: { index, _ in finals.add(index) })
    #expect(finals.values == Array((0..<8).reversed()))
    #expect(
      report.list
        == (0..<8).map { $0 % 3 == 1 ? .failure(.reported(.broken($0))) : .success("value \($0)") })
    #expect(report.faults.map(\.index) == [1, 4, 7])
  }

  @Test func `a failed slot stops no other`() async throws {
    let requests = ScriptedRequests([0: RequestScript([.fail(.refused)])])
    let report = try await Self.ended(ResultSlots(limits: RequestLimits(atOnce: 1), partial: .stop), 5, requests)
    #expect(report.list == nil)
    #expect(report.slots.dropFirst() == (1..<5).map { .success("value \($0)") }[...])
    #expect(requests.log.cancelled.isEmpty)
  }

  @Test(arguments: ResultSlots.PartialPolicy.allCases) func `after the owner's stop there is no list`(
    partial: ResultSlots.PartialPolicy
  ) async throws {
    let begun = Count()
    let three = begun.gate(at: 3)
    let requests = ScriptedRequests(
      [0: .usual], fallback: .untilCancelled, onStart: { _ in begun.add() })
    let control = CollectionControl()
    async let end = Self.ended(
      ResultSlots(limits: RequestLimits(atOnce: 2), partial: partial), 9, requests, control: control)
    await three.passed()
    control.cancel()
    let report = try await end
    #expect(report.slots == [.success("value 0")] + Array(repeating: .failure(.cancelled), count: 8))
    #expect(report.list == nil && report.wasCancelled)
    #expect(requests.log.started == [0, 1, 2])
    #expect(Set(requests.log.cancelled) == [1, 2])
  }

  @Test func `a stop that comes too late changes nothing`() async throws {
    let control = CollectionControl()
    let report = try await Self.ended(
      ResultSlots(), 1, ScriptedRequests(), control: control, onFinal: { _, _ in control.cancel() })
    #expect(report.values == ["value 0"] && report.list?.count == 1 && !report.wasCancelled)
  }

  @Test func `an item that never ends gives its permit back at its time limit`() async throws {
    let requests = ScriptedRequests([0: .never, 1: .never], fallback: .prompt)
    let limits = RequestLimits(atOnce: 1, timeLimit: EndingCase.limit)
    let report = try await Self.ended(ResultSlots(limits: limits, partial: .mark), 6, requests)
    let timeout = ScriptedOutcome.failure(.timedOut(limit: EndingCase.limit))
    #expect(report.list == [timeout, timeout] + (2..<6).map { .success("value \($0)") })
    #expect(requests.log.started == Array(0..<6))
    #expect(requests.log.cancelled == [0, 1])
    #expect(report.abandoned == 2)
  }

  @Test func `a late answer is counted as late, once confirmed cancels are not, and nothing is shifted`() async throws {
    let isGivenUp = Gate()
    let isLate = Gate()
    let requests = ScriptedRequests(
      [
        0: RequestScript(
          [.hold(isGivenUp), .succeed("late"), .fail(.refused), .cancelled, .cancelled, .open(isLate)],
          ignoresCancel: true),
        1: RequestScript([.succeed()], isSynchronous: true),
      ])
    // Item 1 has no time limit of its own to fear: it ends inside its start, and its handler waits for the late ones.
    let report = try await Self.ended(
      ResultSlots(limits: RequestLimits(atOnce: 1, timeLimit: EndingCase.limit)), 2, requests,
      onFinal: { index, _ in
        guard index == 1 else { return }
        isGivenUp.open()
        isLate.wait()
      })
    #expect(report.slots == [.failure(.timedOut(limit: EndingCase.limit)), .success("value 1")])
    // Two answers, and a second cancelled; the first cancelled only confirms what the time limit asked for.
    #expect(report.ignored.late == 3 && report.ignored.total == 3)
    #expect(report.ignored.first == IgnoredSignal(kind: .late, index: 0))
  }

  @Test func `a client that is torn down ends every item that it had taken`() async throws {
    let begun = Count()
    let all = begun.gate(at: 4)
    let requests = ScriptedRequests(fallback: .never, onStart: { _ in begun.add() })
    async let end = Self.ended(ResultSlots(limits: RequestLimits(atOnce: 4), partial: .mark), 4, requests)
    await all.passed()
    // The client is told of a start before it keeps the completion.
    while requests.kept < 4 { await Task.yield() }
    requests.forgetAll()
    #expect(try await end.list == Array(repeating: .failure(.unanswered), count: 4))
  }

  @Test func `results are let go when they have been handed over, whoever keeps a completion`() async {
    final class Picture: Sendable {
      let alive: Count
      init(_ alive: Count) {
        self.alive = alive
        alive.add()
      }
      deinit { alive.add(-1) }
    }
    let alive = Count()
    let kept = Gathering<RequestCompletion<Picture, RequestTrouble>>()
    do {
      let report = await ResultSlots().run(Array(0..<50)) { _, _, done in
        kept.add(done)
        done(.success(Picture(alive)))
        return nil
      }
      #expect(report.values?.count == 50)
    }
    while alive.value > 0 { await Task.yield() }
    #expect(kept.values.count == 50)
  }

  @Test func `a task that awaits resumes once, and cancels what is in flight when cancelled`() async {
    let begun = Count()
    let two = begun.gate(at: 2)
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in begun.add() })
    let task = Task {
      await ResultSlots(limits: RequestLimits(atOnce: 2)).run(Array(0..<5)) { item, _, done in
        requests.start(item, done)
      }
    }
    await two.passed()
    task.cancel()
    let report = await task.value
    #expect(report.slots == Array(repeating: .failure(.cancelled), count: 5))
    #expect(requests.log.started.count == 2 && requests.log.inFlight == 0)
  }

  @Test func `endings that race with time limits and stops settle every slot once`() async throws {
    for round in 0..<100 {
      let begun = Count()
      let some = begun.gate(at: 1 + round % 20)
      var scripts: [Int: RequestScript] = [:]
      for index in stride(from: round % 5, to: 40, by: 5) { scripts[index] = .untilCancelled }
      let requests = ScriptedRequests(scripts, onStart: { _ in begun.add() })
      let finals = Count()
      let control = CollectionControl()
      let limits = RequestLimits(atOnce: 4, timeLimit: .milliseconds(1 + round % 4))
      async let end = Self.ended(
        ResultSlots(limits: limits, partial: .mark), 40, requests, control: control, onFinal: { _, _ in finals.add() })
      if round % 2 == 0 {
        await some.passed()
        control.cancel()
      }
      let report = try await end
      #expect(report.slots.count == 40 && finals.value == 40)
    }
  }
}
