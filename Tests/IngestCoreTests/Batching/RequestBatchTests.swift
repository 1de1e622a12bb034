import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B5: a batch counts, reports once, and stops at the first failure.
@Suite(.timeLimit(.minutes(2))) struct RequestBatchTests {
  typealias Member = Request<String, RequestTrouble>
  typealias Batch = RequestBatch<String, RequestTrouble>

  static func members(_ count: Int, _ requests: ScriptedRequests) -> [Member] {
    (0..<count).map { index in Member("photo \(index)", start: { done in requests.start(index, done) }) }
  }

  static func ended(_ batch: Batch, control: CollectionControl = CollectionControl()) async throws -> Batch.Report {
    try await onceEnded { queue, followUp in try batch.start(control: control, notify: queue, followUp: followUp) }
  }

  @Test(arguments: EndingCase.all)
  func `every way in which a member can end is counted once`(one: EndingCase) async throws {
    let requests = one.requests()
    let batch = Batch(Self.members(2, requests), limits: one.limits)
    let report = try await Self.ended(batch)
    let outcomes = report.requests.map(\.outcome)
    #expect(outcomes == [.success("value 0"), one.outcome])
    #expect(report.details.outcomes == outcomes.compactMap(\.self))
    switch one.outcome {
    case .success: #expect(report.ending == .succeeded)
    case .failure(let failure): #expect(report.ending == .failed(RequestFault(index: 1, failure: failure)))
    }
    #expect(report.details.ignored == one.ignored(at: 1))
    #expect(report.details.abandoned == one.abandoned)
    #expect(batch.finished == 2)
  }

  @Test(arguments: [0, 1, 10_000])
  func `success comes once, with the requests in their first order`(count: Int) async throws {
    let batch = Batch(Self.members(count, ScriptedRequests()))
    let report = try await Self.ended(batch)
    #expect(report.ending == .succeeded)
    #expect(report.requests.map(\.name) == (0..<count).map { "photo \($0)" })
    #expect(report.details.values == (0..<count).map { "value \($0)" })
    #expect(batch.finished == count)
    #expect(report.details.ignored.total == 0 && report.details.abandoned == 0 && !report.details.wasCancelled)
  }

  @Test func `ten thousand members that end inside their start do not deepen the stack`() async throws {
    let requests = ScriptedRequests(fallback: .prompt)
    let batch = Batch(Self.members(10_000, requests), limits: RequestLimits(atOnce: 1))
    let report = try await Self.ended(batch)
    #expect(report.details.values?.count == 10_000)
    #expect(requests.log.started == Array(0..<10_000))
  }

  @Test func `members that finish in reverse are reported in their first order`() async throws {
    let gates = (0..<6).map { _ in Gate() }
    var scripts: [Int: RequestScript] = [:]
    for index in 0..<6 {
      let before: [ScriptedRequests.Step] = index == 5 ? [] : [.hold(gates[index])]
      let after: [ScriptedRequests.Step] = index == 0 ? [] : [.open(gates[index - 1])]
      scripts[index] = RequestScript(before + [.succeed()] + after)
    }
    let report = try await Self.ended(Batch(Self.members(6, ScriptedRequests(scripts))))
    #expect(report.details.values == (0..<6).map { "value \($0)" })
  }

  @Test func `the first failure cancels those in flight and those that have not begun, and is the one cause`()
    async throws
  {
    let begun = Count()
    let three = begun.gate(at: 3)
    // Request 2 hears the cancel and fails in its own words: that is the stop's doing and no second cause.
    let requests = ScriptedRequests(
      [
        0: RequestScript([.hold(three), .fail(.refused)]), 1: .untilCancelled,
        2: RequestScript([], ignoresCancel: true),
      ], onStart: { _ in begun.add() })
    let failing = Gate()
    var members = Self.members(10, requests)
    members[2] = Member("photo 2") { done in
      begun.add()
      failing.whenOpen { done(.failure(.reported(.broken(2)))) }
      return { failing.open() }
    }
    let report = try await Self.ended(Batch(members, limits: RequestLimits(atOnce: 3)))
    #expect(report.ending == .failed(RequestFault(index: 0, failure: .refused)))
    #expect(report.details.outcomes.first == EndingCase.refused)
    #expect(report.details.outcomes.dropFirst() == Array(repeating: .failure(.cancelled), count: 9)[...])
    #expect(members.map(\.outcome) == report.details.outcomes)
    #expect(requests.log.started == [0, 1])
    #expect(requests.log.cancelled == [1])
    #expect(failing.isOpen)
    #expect(requests.log.inFlight == 0)
    #expect(report.details.ignored.total == 0)
  }

  @Test func `of two failures at once one is the cause`() async throws {
    for _ in 0..<200 {
      let both = Count()
      let gate = both.gate(at: 2)
      let requests = ScriptedRequests(
        fallback: RequestScript([.hold(gate), .fail(.refused)], ignoresCancel: true), onStart: { _ in both.add() })
      let report = try await Self.ended(Batch(Self.members(2, requests)))
      #expect(report.details.outcomes.filter { $0 == EndingCase.refused }.count == 1)
      #expect(report.details.outcomes.filter { $0 == .failure(.cancelled) }.count == 1)
      #expect(report.details.faults.filter { $0 == report.details.cause }.count == 1)
    }
  }

  @Test func `a request that ignores the stop holds the report no longer than the grace`() async throws {
    let begun = Count()
    let both = begun.gate(at: 2)
    let requests = ScriptedRequests(
      [0: RequestScript([.hold(both), .fail(.refused)]), 1: .never], onStart: { _ in begun.add() })
    let limits = RequestLimits(atOnce: 2, grace: .milliseconds(300))
    let report = try await Self.ended(Batch(Self.members(2, requests), limits: limits))
    #expect(report.ending == .failed(RequestFault(index: 0, failure: .refused)))
    #expect(report.details.outcomes.last == .failure(.cancelled))
    #expect(report.details.abandoned == 1)
    #expect(requests.log.cancelled == [1])
  }

  @Test func `a start that does not return costs its time limit and nobody's report`() async throws {
    let blocked = Gate()
    let isCancelled = Gate()
    let member = Member("stuck") { done in
      blocked.wait()
      return { isCancelled.open() }
    }
    let limits = RequestLimits(atOnce: 1, timeLimit: EndingCase.limit)
    let report = try await Self.ended(Batch([member] + Self.members(2, ScriptedRequests()), limits: limits))
    let fault = RequestFault<RequestTrouble>(index: 0, failure: .timedOut(limit: EndingCase.limit))
    #expect(report.ending == .failed(fault))
    #expect(report.details.outcomes.dropFirst() == [.failure(.cancelled), .failure(.cancelled)])
    // When it returns at last it is asked to give up.
    blocked.open()
    await isCancelled.passed()
  }

  @Test func `a success that comes with the stop is kept`() async throws {
    let begun = Count()
    let both = begun.gate(at: 2)
    let isFailed = Gate()
    let requests = ScriptedRequests(
      [
        0: RequestScript([.hold(both), .fail(.refused), .open(isFailed)]),
        1: RequestScript([.hold(isFailed), .succeed()], ignoresCancel: true),
      ], onStart: { _ in begun.add() })
    let report = try await Self.ended(Batch(Self.members(2, requests)))
    #expect(report.details.outcomes == [EndingCase.refused, .success("value 1")])
  }

  // MARK: Refusals

  @Test func `a member that was started before is refused before anything starts`() async throws {
    let requests = ScriptedRequests()
    let members = Self.members(3, requests)
    #expect(members[1].start())
    #expect(!members[1].start(), "a request is started once")
    let started = requests.log.started
    let batch = Batch(members)
    let events = Gathering<BatchEvent>()
    batch.observe(events.add)
    #expect(throws: BatchRefusal.memberStarted(name: "photo 1", index: 1)) {
      try batch.start(notify: .global()) { _ in Issue.record("a refused batch reports nothing") }
    }
    #expect(started.count <= 1 && !requests.log.started.contains(0) && !requests.log.started.contains(2))
    #expect(events.values.isEmpty)
    #expect(!members[0].isStarted && !members[2].isStarted)
    // The others are as they were.
    let report = try await Self.ended(Batch([members[0], members[2]]))
    #expect(report.ending == .succeeded)
  }

  @Test func `a member of another batch is refused`() async throws {
    let requests = ScriptedRequests(fallback: .untilCancelled)
    let members = Self.members(2, requests)
    let first = Batch([members[1]])
    async let report = Self.ended(first)
    while !members[1].isStarted { await Task.yield() }
    #expect(throws: BatchRefusal.memberStarted(name: "photo 1", index: 1)) {
      try Batch(members).start(notify: .global()) { _ in Issue.record("a refused batch reports nothing") }
    }
    first.cancel()
    #expect(try await report.ending == .cancelled)
  }

  @Test func `a member given twice is refused before anything starts`() throws {
    let requests = ScriptedRequests()
    let members = Self.members(3, requests)
    let batch = Batch(members + [members[1]])
    let refusal = BatchRefusal.givenTwice(name: "photo 1", first: 1, again: 3)
    #expect(throws: refusal) { try batch.start(notify: .global()) { _ in } }
    #expect(refusal.description == "photo 1: given twice to one batch, as members 1 and 3")
    #expect(requests.log.started.isEmpty)
    #expect(members.allSatisfy { !$0.isStarted })
  }

  @Test func `a batch is started once`() async throws {
    let batch = Batch(Self.members(1, ScriptedRequests()))
    _ = try await Self.ended(batch)
    #expect(throws: BatchRefusal.batchStarted) { try batch.start(notify: .global()) { _ in } }
  }

  // MARK: Observers, the owner, life

  @Test(arguments: [0, 1, 2]) func `observers hear will start, will stop and did stop around everything else`(
    failing: Int
  ) async throws {
    let story = Gathering<String>()
    var members: [Member] = []
    for index in 0..<2 {
      members.append(
        Member("photo \(index)") { done in
          story.add("start \(index)")
          done(index + 1 == failing ? .failure(.refused) : .success("fine"))
          return nil
        } handler: { outcome in
          story.add("end \(index)")
        })
    }
    let batch = Batch(members, limits: RequestLimits(atOnce: 1))
    let isOver = Gate()
    batch.observe { event in
      story.add("\(event)")
      if event == .didStop { isOver.open() }
    }
    try batch.start(notify: DispatchQueue(label: "report")) { report in story.add("report") }
    await isOver.passed()
    let expected: [[String]] = [
      ["willStart", "start 0", "end 0", "start 1", "end 1", "willStop", "report", "didStop"],
      ["willStart", "start 0", "end 0", "willStop", "end 1", "report", "didStop"],
      ["willStart", "start 0", "end 0", "start 1", "end 1", "willStop", "report", "didStop"],
    ]
    #expect(story.values == expected[failing])
  }

  @Test func `its owner can cancel it`() async throws {
    let begun = Count()
    let two = begun.gate(at: 2)
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in begun.add() })
    let batch = Batch(Self.members(5, requests), limits: RequestLimits(atOnce: 2))
    let events = Gathering<BatchEvent>()
    batch.observe(events.add)
    async let end = Self.ended(batch)
    await two.passed()
    batch.cancel()
    batch.cancel()
    let report = try await end
    #expect(report.ending == .cancelled)
    #expect(report.details.wasCancelled && report.details.cause == nil)
    #expect(report.requests.allSatisfy { $0.outcome == .failure(.cancelled) })
    #expect(Set(requests.log.cancelled) == [0, 1] && requests.log.cancelled.count == 2)
    #expect(events.values.prefix(2) == [.willStart, .willStop])
  }

  @Test func `a control that was stopped before lets nothing begin`() async throws {
    let requests = ScriptedRequests()
    let control = CollectionControl()
    control.cancel()
    let report = try await Self.ended(Batch(Self.members(3, requests)), control: control)
    #expect(report.ending == .cancelled)
    #expect(requests.log.started.isEmpty)
  }

  @Test func `a stop after the end does nothing`() async throws {
    let requests = ScriptedRequests()
    let control = CollectionControl()
    let batch = Batch(Self.members(3, requests))
    let report = try await Self.ended(batch, control: control)
    control.cancel()
    batch.cancel()
    #expect(report.ending == .succeeded && requests.log.cancelled.isEmpty)
  }

  @Test func `it keeps itself alive until it ends, and is let go then`() async throws {
    final class Trace: Sendable {}
    let gate = Gate()
    let report = Gate()
    weak var batch: Batch?
    weak var trace: Trace?
    let kept = Gathering<RequestCompletion<String, RequestTrouble>>()
    do {
      let held = Trace()
      trace = held
      let member = Member("slow") { done in
        // A client that never lets go of a completion must not keep the batch.
        kept.add(done)
        gate.whenOpen { done(.success("fine")) }
        return { _ = held }
      }
      let made = Batch([member])
      batch = made
      try made.start(notify: DispatchQueue(label: "report")) { _ in report.open() }
    }
    #expect(batch != nil)
    gate.open()
    await report.passed()
    while batch != nil || trace != nil { await Task.yield() }
    #expect(kept.values.count == 1)
  }

  @Test func `a task that awaits it resumes once, and cancels it when cancelled`() async throws {
    let succeeded = try await Batch(Self.members(3, ScriptedRequests())).run()
    #expect(succeeded.ending == .succeeded)
    let begun = Count()
    let one = begun.gate(at: 1)
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in begun.add() })
    let task = Task { try await Batch(Self.members(1, requests)).run() }
    await one.passed()
    task.cancel()
    #expect(try await task.value.ending == .cancelled)
  }

  @Test func `stops that race with endings end every member once`() async throws {
    for round in 0..<200 {
      let begun = Count()
      let some = begun.gate(at: 1 + round % 9)
      let requests = ScriptedRequests(fallback: round % 2 == 0 ? .usual : .prompt, onStart: { _ in begun.add() })
      let heard = Count()
      let members = (0..<30).map { index in
        Member("photo \(index)", start: { done in requests.start(index, done) }, handler: { _ in heard.add() })
      }
      let batch = Batch(members, limits: RequestLimits(atOnce: 4))
      async let end = Self.ended(batch)
      await some.passed()
      batch.cancel()
      let report = try await end
      #expect(heard.value == 30 && batch.finished == 30)
      #expect(report.details.abandoned == 0 && report.details.ignored.total == 0)
      #expect(requests.log.mostInFlight <= 4 && requests.log.inFlight == 0)
    }
  }
}
