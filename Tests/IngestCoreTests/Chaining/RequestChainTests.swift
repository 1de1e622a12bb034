import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B7: a step starts when the one before has completed, and a failed one ends the chain by name.
@Suite(.timeLimit(.minutes(2))) struct RequestChainTests {
  typealias Chain<Input: Sendable, Output: Sendable> = RequestChain<Input, Output, RequestTrouble>
  typealias Report = ChainReport<String, RequestTrouble>

  static func ended<Input: Sendable, Output: Sendable>(
    _ chain: Chain<Input, Output>, _ input: Input, timeLimit: Duration? = nil, grace: Duration = .seconds(3),
    control: CollectionControl = CollectionControl()
  ) async throws -> ChainReport<Output, RequestTrouble> {
    try await onceEnded { queue, followUp in
      chain.start(
        input, timeLimit: timeLimit, grace: grace, control: control, notify: queue, followUp: followUp)
    }
  }

  /// Three steps, `token`, `upload` and `post`, played by requests 0, 1 and 2.
  static func chain(_ requests: ScriptedRequests, given: Gathering<String> = Gathering()) -> Chain<String, String> {
    func step(_ index: Int) -> Chain<String, String>.Step<String, String> {
      { input, done in
        given.add(input)
        return requests.start(index, done)
      }
    }
    return Chain("token", step: step(0)).then("upload", step: step(1)).then("post", step: step(2))
  }

  @Test func `each step gets what the one before gave, whatever its type`() async throws {
    let chain = Chain<Int, String>("token") { account, done in
      done(.success("token of \(account)"))
      return nil
    }.then("upload") { token, done in
      DispatchQueue.global().async { done(.success(["\(token)/0", "\(token)/1"])) }
      return nil
    }.then("post") { addresses, done in
      done(.success(addresses.count))
      return nil
    }
    let report = try await Self.ended(chain, 5)
    #expect(report.result == .success(2) && report.completed == 3 && report.ignored.total == 0)
    #expect(chain.names == ["token", "upload", "post"])
  }

  @Test(arguments: EndingCase.all)
  func `every way in which a step can end is the chain's, once`(one: EndingCase) async throws {
    let isDone = Gate()
    var script = one.script
    if !one.needsLimit { script.steps.append(.open(isDone)) }
    // The step after it ends when everything the case does has happened.
    let after = one.needsLimit ? RequestScript.prompt : RequestScript([.hold(isDone), .succeed()])
    let requests = ScriptedRequests([0: .prompt, 1: script, 2: after])
    let given = Gathering<String>()
    let chain = Self.chain(requests, given: given)
    let report = try await Self.ended(chain, "account", timeLimit: one.needsLimit ? EndingCase.limit : nil)
    switch one.outcome {
    case .success(let value):
      #expect(report.result == .success("value 2") && report.completed == 3)
      #expect(given.values == ["account", "value 0", value])
      #expect(report.ignored == one.ignored(at: 1))
    case .failure(let failure):
      let expected = ChainFailure(step: "upload", index: 1, reason: failure)
      #expect(report.result == .failure(expected) && report.completed == 1)
      #expect(expected.description == "upload: \(failure)")
      #expect(requests.log.started == [0, 1], "no step starts after one that failed")
    }
  }

  @Test func `the next step starts when the one before has completed, not when it was sent`() async throws {
    let isSent = Gate()
    let gate = Gate()
    let requests = ScriptedRequests([0: RequestScript([.open(isSent), .hold(gate), .succeed()])])
    async let end = Self.ended(Self.chain(requests), "account")
    await isSent.passed()
    #expect(requests.log.started == [0])
    gate.open()
    #expect(try await end.result == .success("value 2"))
    #expect(requests.log.started == [0, 1, 2] && requests.log.mostInFlight == 1)
  }

  @Test(arguments: [false, true]) func `ten thousand steps keep their order and do not deepen the stack`(
    isSynchronous: Bool
  ) async throws {
    let queue = DispatchQueue(label: "steps")
    let step: Chain<Int, Int>.Step<Int, Int> = { number, done in
      if isSynchronous { done(.success(number + 1)) } else { queue.async { done(.success(number + 1)) } }
      return nil
    }
    var chain = Chain<Int, Int>("0", step: step)
    for index in 1..<10_000 { chain = chain.then("\(index)", step: step) }
    #expect(try await Self.ended(chain, 0).result == .success(10_000))
  }

  @Test(arguments: [0, 2]) func `the first and the last step fail by their names`(index: Int) async throws {
    let requests = ScriptedRequests([index: RequestScript([.fail(.refused)])])
    let report = try await Self.ended(Self.chain(requests), "account")
    let name = ["token", "upload", "post"][index]
    #expect(report.result == .failure(ChainFailure(step: name, index: index, reason: .refused)))
    #expect(report.completed == index)
  }

  @Test func `a stop cancels the step in flight and starts no other`() async throws {
    let isBegun = Gate()
    let requests = ScriptedRequests([1: .untilCancelled], onStart: { if $0 == 1 { isBegun.open() } })
    let control = CollectionControl()
    async let end = Self.ended(Self.chain(requests), "account", control: control)
    await isBegun.passed()
    control.cancel()
    #expect(try await end.result == .failure(ChainFailure(step: "upload", index: 1, reason: .cancelled)))
    #expect(requests.log.started == [0, 1] && requests.log.cancelled == [1])
  }

  @Test func `a step that completes despite the stop is complete, and the next one is not started`() async throws {
    let control = CollectionControl()
    let requests = ScriptedRequests(
      [1: RequestScript([.succeed()], isSynchronous: true, ignoresCancel: true)],
      onStart: { if $0 == 1 { control.cancel() } })
    let report = try await Self.ended(Self.chain(requests), "account", control: control)
    #expect(report.result == .failure(ChainFailure(step: "post", index: 2, reason: .cancelled)))
    #expect(report.completed == 2 && requests.log.started == [0, 1])
  }

  @Test func `a step that ignores the stop holds the chain no longer than the grace`() async throws {
    let isBegun = Gate()
    let requests = ScriptedRequests([0: .never], onStart: { _ in isBegun.open() })
    let control = CollectionControl()
    async let end = Self.ended(
      Self.chain(requests), "account", grace: .milliseconds(20), control: control)
    await isBegun.passed()
    control.cancel()
    #expect(try await end.result == .failure(ChainFailure(step: "token", index: 0, reason: .cancelled)))
  }

  @Test func `a chain may be started as often as wanted`() async throws {
    let chain = Chain<Int, Int>("double") { number, done in
      done(.success(number * 2))
      return nil
    }.then("next") { number, done in
      done(.success(number + 1))
      return nil
    }
    let results = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 { group.addTask { try await chain.run(number) == number * 2 + 1 } }
      return try await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 50))
  }

  @Test func `a task that awaits it throws the step's failure, and cancels the step when cancelled`() async throws {
    let failing = Self.chain(ScriptedRequests([1: RequestScript([.fail(.broken(1))])]))
    await #expect(throws: ChainFailure(step: "upload", index: 1, reason: .reported(RequestTrouble.broken(1)))) {
      try await failing.run("account")
    }
    let isBegun = Gate()
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in isBegun.open() })
    let task = Task { try await Self.chain(requests).run("account") }
    await isBegun.passed()
    task.cancel()
    await #expect(throws: ChainFailure(step: "token", index: 0, reason: RequestFailure<RequestTrouble>.cancelled)) {
      try await task.value
    }
  }
}
