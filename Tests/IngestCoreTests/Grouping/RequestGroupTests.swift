import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B9: all errors are collected, own handlers still run, groups leave each other alone.
@Suite(.timeLimit(.minutes(2))) struct RequestGroupTests {
  typealias Group = RequestGroup<RequestTrouble>

  static func ended(_ group: Group, control: CollectionControl = CollectionControl()) async throws
    -> GroupReport<RequestTrouble>
  {
    try await onceEnded { queue, followUp in group.start(control: control, notify: queue, followUp: followUp) }
  }

  static func group(
    _ count: Int, _ requests: ScriptedRequests, limits: RequestLimits = RequestLimits(atOnce: 3),
    heard: Gathering<String> = Gathering()
  ) -> Group {
    var group = Group(limits: limits)
    for index in 0..<count {
      group.add({ done in requests.start(index, done) }, handler: { heard.add("\(index): \($0)") })
    }
    return group
  }

  @Test(arguments: EndingCase.all)
  func `every way to end runs the request's own handler once, and counts once`(one: EndingCase) async throws {
    let heard = Gathering<String>()
    let report = try await Self.ended(Self.group(3, one.requests(), limits: one.limits, heard: heard))
    #expect(
      heard.values.sorted()
        == [
          "0: \(ScriptedOutcome.success("value 0"))", "1: \(one.outcome)", "2: \(ScriptedOutcome.success("value 2"))",
        ])
    switch one.outcome {
    case .success: #expect(report.succeeded && report.errors.isEmpty)
    case .failure(let failure):
      #expect(!report.succeeded && report.errors == [RequestFault(index: 1, failure: failure)])
    }
    #expect(report.count == 3)
    #expect(report.ignored == one.ignored(at: 1))
    #expect(report.abandoned == one.abandoned)
  }

  @Test(arguments: [0, 1, 10_000]) func `a group without a failure succeeds`(count: Int) async throws {
    let heard = Gathering<String>()
    let report = try await Self.ended(Self.group(count, ScriptedRequests(), heard: heard))
    #expect(report.succeeded && report.count == count && heard.values.count == count)
  }

  @Test func `ten thousand requests that end inside their start do not deepen the stack`() async throws {
    let requests = ScriptedRequests(fallback: RequestScript([.fail(.refused)], isSynchronous: true))
    let report = try await Self.ended(Self.group(10_000, requests))
    #expect(report.errors.map(\.index) == Array(0..<10_000))
  }

  @Test func `at most three run at once by default`() async throws {
    let begun = Count()
    let full = begun.gate(at: 3)
    let requests = ScriptedRequests(fallback: RequestScript([.hold(full), .succeed()]), onStart: { _ in begun.add() })
    var group = Group()
    for index in 0..<20 { group.add { done in requests.start(index, done) } }
    #expect(try await Self.ended(group).succeeded)
    #expect(requests.log.mostInFlight == 3)
  }

  @Test func `all errors come in request order, whatever the order in which they happened`() async throws {
    let gates = (0..<5).map { _ in Gate() }
    var scripts: [Int: RequestScript] = [:]
    for index in 0..<5 {
      let before: [ScriptedRequests.Step] = index == 4 ? [] : [.hold(gates[index])]
      let after: [ScriptedRequests.Step] = index == 0 ? [] : [.open(gates[index - 1])]
      scripts[index] = RequestScript(before + [index == 2 ? .succeed() : .fail(.broken(index))] + after)
    }
    let heard = Gathering<String>()
    let group = Self.group(5, ScriptedRequests(scripts), limits: RequestLimits(atOnce: 5), heard: heard)
    let report = try await Self.ended(group)
    #expect(report.errors == [0, 1, 3, 4].map { RequestFault(index: $0, failure: .reported(.broken($0))) })
    #expect(heard.values.map { $0.prefix(1) } == ["4", "3", "2", "1", "0"])
  }

  @Test func `every own handler has run before the group reports`() async throws {
    for _ in 0..<100 {
      let heard = Count()
      var group = Group(limits: RequestLimits(atOnce: 8))
      let requests = ScriptedRequests()
      for index in 0..<16 { group.add({ requests.start(index, $0) }, handler: { _ in heard.add() }) }
      _ = try await Self.ended(group)
      #expect(heard.value == 16)
    }
  }

  // MARK: Request functions as they are

  static func fetch(
    _ success: @escaping @Sendable (Int) -> Void, _ failure: @escaping @Sendable (RequestTrouble) -> Void
  ) {
    success(7)
  }
  static func fail(
    _ success: @escaping @Sendable (Int) -> Void, _ failure: @escaping @Sendable (RequestTrouble) -> Void
  ) {
    failure(.refused)
  }
  static func load(_ completion: @escaping @Sendable (Result<String, RequestTrouble>) -> Void) {
    completion(.success("loaded"))
  }
  static func forget(_ completion: @escaping @Sendable (Result<String, RequestTrouble>) -> Void) {}

  @Test func `request functions need no change, inside a group and outside`() async throws {
    let heard = Gathering<String>()
    var group = Group()
    group.add(Self.fetch, onSuccess: { heard.add("fetched \($0)") }, onFailure: { heard.add("fetch: \($0)") })
    group.add(Self.fail, onSuccess: { heard.add("no: \($0)") }, onFailure: { heard.add("fail: \($0)") })
    group.add(Self.load, handler: { heard.add("\($0)") })
    group.add(Self.forget, handler: { heard.add("forget: \($0)") })
    group.add { () async throws(RequestTrouble) -> Int in
      throw .broken(3)
    } handler: {
      heard.add("async: \($0)")
    }
    let report = try await Self.ended(group)
    #expect(
      report.errors == [
        RequestFault(index: 1, failure: .refused), RequestFault(index: 3, failure: .unanswered),
        RequestFault(index: 4, failure: .reported(.broken(3))),
      ])
    #expect(heard.values.count == 5)
    #expect(heard.values.contains("fetched 7") && heard.values.contains("fail: refused"))
    // Outside of any group the same function behaves as always.
    let outside = Gathering<Int>()
    Self.fetch(outside.add) { _ in }
    #expect(outside.values == [7] && heard.values.count == 5)
  }

  @Test func `an async member is cancelled with the group`() async throws {
    let control = CollectionControl()
    let begun = Gate()
    var group = RequestGroup<any Error>()
    group.add(async: { () async throws -> Int in
      begun.open()
      while true {
        try Task.checkCancellation()
        await Task.yield()
      }
    })
    let report: GroupReport<any Error> = try await onceEnded { [group] queue, followUp in
      group.start(control: control, notify: queue, followUp: followUp)
      begun.whenOpen { control.cancel() }
    }
    #expect(report.wasCancelled && report.errors.count == 1)
    if case .cancelled? = report.errors.first?.failure {} else { Issue.record("not cancelled: \(report)") }
  }

  // MARK: Stops and neighbours

  @Test func `a failure stops nobody`() async throws {
    let requests = ScriptedRequests([0: RequestScript([.fail(.refused)])])
    let report = try await Self.ended(Self.group(6, requests, limits: RequestLimits(atOnce: 1)))
    #expect(report.errors.map(\.index) == [0])
    #expect(requests.log.started == Array(0..<6) && requests.log.cancelled.isEmpty)
  }

  @Test func `a stopped group tells every handler`() async throws {
    let begun = Count()
    let three = begun.gate(at: 3)
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in begun.add() })
    let heard = Gathering<String>()
    let control = CollectionControl()
    async let end = Self.ended(Self.group(5, requests, heard: heard), control: control)
    await three.passed()
    control.cancel()
    let report = try await end
    #expect(report.errors == (0..<5).map { RequestFault(index: $0, failure: .cancelled) })
    #expect(report.wasCancelled)
    #expect(heard.values.sorted() == (0..<5).map { "\($0): \(ScriptedOutcome.failure(.cancelled))" })
    #expect(requests.log.started.count == 3)
  }

  @Test func `groups that run at the same time do not influence each other`() async throws {
    // The first is stuck in its three requests, fails and is stopped; the second runs through meanwhile.
    let stuck = ScriptedRequests([3: RequestScript([.fail(.refused)])], fallback: .untilCancelled)
    let control = CollectionControl()
    async let first = Self.ended(Self.group(3, stuck), control: control)
    let free = ScriptedRequests()
    let second = try await Self.ended(Self.group(200, free))
    #expect(second.succeeded && second.count == 200)
    #expect(free.log.cancelled.isEmpty)
    control.cancel()
    #expect(try await first.errors.count == 3)
  }

  @Test func `a group may be started twice, each a run of its own`() async throws {
    let heard = Count()
    var group = Group()
    for index in 0..<10 {
      group.add { done in
        done(index == 4 ? .failure(.refused) : .success("fine"))
        return nil
      } handler: { _ in
        heard.add()
      }
    }
    let copy = group
    async let first = Self.ended(group)
    async let second = Self.ended(copy)
    let reports = try await [first, second]
    #expect(reports.map(\.errors) == Array(repeating: [RequestFault(index: 4, failure: .refused)], count: 2))
    #expect(heard.value == 20)
  }

  @Test func `many groups at once starve nobody`() async {
    let reports = await withTaskGroup(of: GroupReport<RequestTrouble>.self) { tasks in
      for number in 0..<40 {
        tasks.addTask {
          let requests = ScriptedRequests([number % 7: RequestScript([.fail(.broken(number))])])
          return await Self.group(7, requests).run()
        }
      }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 40 && reports.allSatisfy { $0.errors.count == 1 && $0.count == 7 })
  }
}
