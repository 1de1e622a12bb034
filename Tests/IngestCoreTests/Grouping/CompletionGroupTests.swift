import Dispatch
import IngestCore
import IngestTestSupport
import Testing

/// Holds B6: a group tells once, on the queue asked for, when all have left.
@Suite(.timeLimit(.minutes(2))) struct CompletionGroupTests {
  static func told(
    _ group: CompletionGroup, timeLimit: Duration? = nil, meanwhile: @escaping @Sendable () -> Void = {}
  ) async throws -> CompletionGroup.Ending {
    try await onceEnded { queue, followUp in
      group.notify(on: queue, timeLimit: timeLimit, followUp)
      meanwhile()
    }
  }

  @Test func `nobody in: told at once`() async throws {
    #expect(try await Self.told(CompletionGroup()) == .allLeft)
  }

  @Test(arguments: [1, 2, 10_000]) func `told once when all have left, from whatever thread`(count: Int) async throws {
    let group = CompletionGroup()
    let entries = (0..<count).map { _ in group.enter() }
    #expect(group.stillIn == count)
    let ending = try await Self.told(group) {
      let queue = DispatchQueue(label: "leaving", attributes: .concurrent)
      for part in 0..<4 {
        queue.async { for index in stride(from: part, to: count, by: 4) { entries[index].leave() } }
      }
    }
    #expect(ending == .allLeft)
    #expect(group.stillIn == 0 && group.unbalancedLeaves == 0)
  }

  @Test(arguments: EndingCase.all.filter { !$0.needsLimit })
  func `it leaves in each completion, whatever the outcome`(one: EndingCase) async throws {
    let group = CompletionGroup()
    let heard = Gathering<ScriptedOutcome>()
    let requests = one.requests()
    for index in 0..<2 { _ = requests.start(index, group.entering { heard.add($0) }) }
    #expect(try await Self.told(group) == .allLeft)
    #expect(heard.values.contains(.success("value 0")))
    // A completion that was let go has left too; one that was called twice has left once.
    #expect(group.stillIn == 0)
    #expect(group.unbalancedLeaves == one.ignored.count)
  }

  @Test func `not before the last has left`() async throws {
    let group = CompletionGroup()
    let first = group.enter()
    let second = group.enter()
    let isTold = Gate()
    let queue = DispatchQueue(label: "told")
    group.notify(on: queue) { _ in isTold.open() }
    first.leave()
    await onOwnThread { queue.sync {} }
    #expect(!isTold.isOpen && group.stillIn == 1)
    second.leave()
    await isTold.passed()
  }

  @Test func `a second leave of one entry is counted and not taken for another's`() async throws {
    let group = CompletionGroup()
    let first = group.enter()
    let second = group.enter()
    #expect(first.leave())
    #expect(!first.leave() && !first.leave())
    #expect(group.stillIn == 1 && group.unbalancedLeaves == 2)
    #expect(try await Self.told(group) { second.leave() } == .allLeft)
  }

  @Test func `an entry that is let go has left`() async throws {
    let group = CompletionGroup()
    var entry: CompletionGroup.Entry? = group.enter()
    #expect(group.stillIn == 1 && entry != nil)
    entry = nil
    #expect(group.stillIn == 0)
    #expect(try await Self.told(group) == .allLeft)
  }

  @Test func `one that never leaves costs the time limit, and its late leave is no fault`() async throws {
    let group = CompletionGroup()
    let never = group.enter()
    group.enter().leave()
    let told = Gathering<CompletionGroup.Ending>()
    let queue = DispatchQueue(label: "told")
    let isTold = Gate()
    group.notify(on: queue, timeLimit: .milliseconds(30)) { ending in
      told.add(ending)
      isTold.open()
    }
    await isTold.passed()
    #expect(never.leave())
    // The late leave brings no second notice.
    await onOwnThread { queue.sync {} }
    #expect(told.values == [.timedOut(stillIn: 1)])
    #expect(group.unbalancedLeaves == 0)
    #expect(try await Self.told(group) == .allLeft)
  }

  @Test func `a time limit that runs out after the end tells nothing again`() async throws {
    let group = CompletionGroup()
    let entry = group.enter()
    let told = Gathering<CompletionGroup.Ending>()
    let queue = DispatchQueue(label: "told")
    group.notify(on: queue, timeLimit: .milliseconds(400), told.add)
    entry.leave()
    // The limit of a second notice is longer: when that one is over, the first has had its time.
    let never = group.enter()
    #expect(try await Self.told(group, timeLimit: .milliseconds(600)) == .timedOut(stillIn: 1))
    await onOwnThread { queue.sync {} }
    #expect(told.values == [.allLeft])
    never.leave()
  }

  @Test func `every notice comes once, in the order in which it was asked for`() async {
    let group = CompletionGroup()
    let entry = group.enter()
    let told = Gathering<Int>()
    let queue = DispatchQueue(label: "told")
    for number in 0..<5 { group.notify(on: queue) { _ in told.add(number) } }
    entry.leave()
    let again = group.enter()
    again.leave()
    await onOwnThread { queue.sync {} }
    #expect(told.values == [0, 1, 2, 3, 4])
  }

  @Test func `a notice may be handed to a thread of the caller's choice`() async {
    let group = CompletionGroup()
    let entry = group.enter()
    let isTold = Gate()
    let queue = DispatchQueue(label: "own")
    let handed = Count()
    group.notify(
      by: { work in
        handed.add()
        queue.async(execute: work)
      }, { _ in isTold.open() })
    #expect(handed.value == 0)
    entry.leave()
    await isTold.passed()
    #expect(handed.value == 1)
  }

  @Test func `a notice may enter and ask again`() async {
    let group = CompletionGroup()
    let entry = group.enter()
    let isOver = Gate()
    let queue = DispatchQueue(label: "told")
    group.notify(on: queue) { _ in
      let second = group.enter()
      group.notify(on: queue) { _ in isOver.open() }
      second.leave()
    }
    entry.leave()
    await isOver.passed()
  }

  @Test func `a task that awaits resumes once, for the end, the limit or its cancel`() async {
    let group = CompletionGroup()
    #expect(await group.allLeft())
    let entry = group.enter()
    #expect(await !group.allLeft(timeLimit: .milliseconds(20)))
    let task = Task { await group.allLeft() }
    task.cancel()
    #expect(await !task.value)
    async let end = group.allLeft()
    entry.leave()
    #expect(await end)
  }

  @Test func `leaves that race with notices and cancels tell each once`() async {
    // A second resume traps, a missing one runs into the time limit.
    for round in 0..<200 {
      let group = CompletionGroup()
      let entries = (0..<4).map { _ in group.enter() }
      let task = Task { await group.allLeft(timeLimit: .milliseconds(Int64(round % 3))) }
      let queue = DispatchQueue(label: "leaving", attributes: .concurrent)
      for entry in entries { queue.async { entry.leave() } }
      if round % 2 == 0 { task.cancel() }
      _ = await task.value
      await group.allLeft()
      #expect(group.stillIn == 0)
    }
  }
}
