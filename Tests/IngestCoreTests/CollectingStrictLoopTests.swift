import Dispatch
import IngestCore
import IngestTestSupport
import Synchronization
import Testing

/// Holds the strict loop of B1: one task in flight, filter, tries, and one signal a turn.
@Suite(.timeLimit(.minutes(1))) struct CollectingStrictLoopTests {
  typealias Turn = LoopTurn<Int, String>
  static let broken = LoadFailure(.fetchFailed, "the server said no")

  /// Where the tasks of these tests run.
  private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

  @Test(arguments: [0, 1, 100])
  func `every item has one turn, in input order, one task at a time`(count: Int) async {
    let inFlight = Count()
    let turns: [Turn] = await onOwnThread { [queue] in
      SequentialLoop().run(0..<count) { item, _, done in
        inFlight.add()
        queue.async {
          inFlight.add(-1)
          done(.success("value \(item)"))
        }
        return nil
      }
    }
    #expect(turns.map(\.index) == Array(0..<count))
    #expect(turns.map(\.outcome) == (0..<count).map { .succeeded("value \($0)") })
    #expect(turns.allSatisfy { $0.attempts == 1 && $0.ignored.total == 0 })
    #expect(inFlight.highest == min(count, 1))
  }

  @Test func `items that the filter does not want are stated as skipped`() async {
    let started = Gathering<Int>()
    let turns: [Turn] = await onOwnThread {
      SequentialLoop().run(0..<5, where: { $0 % 2 == 0 }) { item, _, done in
        started.add(item)
        done(.success("\(item)"))
        return nil
      }
    }
    #expect(turns.map(\.outcome) == [.succeeded("0"), .skipped, .succeeded("2"), .skipped, .succeeded("4")])
    #expect(turns.map(\.item) == [0, 1, 2, 3, 4])
    #expect(turns.map(\.attempts) == [1, 0, 1, 0, 1])
    #expect(started.values == [0, 2, 4])
  }

  @Test func `a turn is repeated until it succeeds`() async {
    let tries = Gathering<String>()
    let turns: [Turn] = await onOwnThread { [queue] in
      SequentialLoop(attempts: 5).run(0..<3) { item, attempt, done in
        tries.add("\(item).\(attempt)")
        queue.async { done(attempt > item ? .success("try \(attempt)") : .failure(Self.broken)) }
        return nil
      }
    }
    #expect(turns.map(\.outcome) == [.succeeded("try 1"), .succeeded("try 2"), .succeeded("try 3")])
    #expect(turns.map(\.attempts) == [1, 2, 3])
    #expect(tries.values == ["0.1", "1.1", "1.2", "2.1", "2.2", "2.3"])
  }

  @Test func `a turn whose tries are used up has failed, and the next one runs`() async {
    let turns: [Turn] = await onOwnThread {
      SequentialLoop(attempts: 3).run(0..<2) { item, attempt, done in
        done(item == 0 ? .failure(LoadFailure(.fetchFailed, "try \(attempt)")) : .success("fine"))
        return nil
      }
    }
    #expect(turns.map(\.outcome) == [.failed(LoadFailure(.fetchFailed, "try 3")), .succeeded("fine")])
    #expect(turns.map(\.attempts) == [3, 1])
  }

  @Test func `a second signal is reported with its turn and not counted for the next`() async {
    let release = Gate()
    let turns: [Turn] = await onOwnThread { [queue] in
      SequentialLoop().run(0..<3) { item, _, done in
        if item == 0 {
          done(.success("first"))
          done(.success("second"))
          done(.failure(Self.broken))
        } else if item == 1 {
          // Had a signal of turn 0 been counted here, this turn would be over before it answers.
          queue.async {
            release.wait()
            done(.success("own"))
          }
          queue.async { release.open() }
        } else {
          done(.success("last"))
        }
        return nil
      }
    }
    #expect(turns.map(\.outcome) == [.succeeded("first"), .succeeded("own"), .succeeded("last")])
    #expect(turns.map(\.ignored.repeated) == [2, 0, 0])
    #expect(turns.map(\.ignored.total) == [2, 0, 0])
  }

  @Test func `a task that never answers costs its time limit, is cancelled, and may be tried again`() async {
    let cancels = Gathering<String>()
    let turns: [Turn] = await onOwnThread {
      SequentialLoop(timeLimit: .milliseconds(40), attempts: 2).run(0..<3) { item, attempt, done in
        if item == 2 || (item == 1 && attempt == 2) { done(.success("\(item).\(attempt)")) }
        return { cancels.add("\(item).\(attempt)") }
      }
    }
    let timeout = LoadFailure(.timeout, "no answer within 0.04 seconds")
    #expect(turns.map(\.outcome) == [.failed(timeout), .succeeded("1.2"), .succeeded("2.1")])
    #expect(cancels.values == ["0.1", "0.2", "1.1"])
  }

  @Test func `a late answer belongs to the try that was given up`() async {
    let answers = Gathering<SequentialLoop.Done<String>>()
    let turns: [Turn] = await onOwnThread {
      SequentialLoop(timeLimit: .milliseconds(40)).run(0..<2) { item, _, done in
        if item == 0 {
          answers.add(done)
        } else {
          answers.values[0](.success("late"))
          done(.success("own"))
        }
        return nil
      }
    }
    #expect(turns.last?.outcome == .succeeded("own"))
    #expect(turns.map(\.ignored.late) == [1, 0])
    #expect(turns.first?.ignored.first == IgnoredSignal(kind: .late, index: 0))
  }

  @Test func `a stop cancels the task in flight and states the rest as cancelled`() async {
    let control = CollectionControl()
    let isWaiting = Gate()
    async let end: [Turn] = onOwnThread {
      SequentialLoop(attempts: 9).run(0..<4, control: control) { item, _, done in
        if item == 0 {
          done(.success("done"))
          return nil
        }
        isWaiting.open()
        return { done(.failure(Self.broken)) }
      }
    }
    await isWaiting.passed()
    control.cancel()
    let turns = await end
    #expect(turns.map(\.outcome) == [.succeeded("done"), .cancelled, .cancelled, .cancelled])
    #expect(turns.map(\.attempts) == [1, 1, 0, 0])
  }

  @Test func `a stop that the task ignores holds the loop no longer than the grace`() async {
    let control = CollectionControl()
    let isWaiting = Gate()
    async let end: [Turn] = onOwnThread {
      SequentialLoop(grace: .milliseconds(40)).run(0..<2, control: control) { _, _, _ in
        isWaiting.open()
        return nil
      }
    }
    await isWaiting.passed()
    control.cancel()
    #expect(await end.map(\.outcome) == [.cancelled, .cancelled])
  }

  @Test func `a success that comes with the stop is kept`() async {
    let control = CollectionControl()
    let turns: [Turn] = await onOwnThread {
      SequentialLoop().run(0..<2, control: control) { _, _, done in
        control.cancel()
        done(.success("in time"))
        return nil
      }
    }
    #expect(turns.map(\.outcome) == [.succeeded("in time"), .cancelled])
  }

  @Test func `the follow-up runs exactly once, on its queue, with all results in input order`() async {
    let followUps = Count()
    let key = DispatchSpecificKey<Bool>()
    let followUpQueue = DispatchQueue(label: "follow-up")
    followUpQueue.setSpecific(key: key, value: true)
    let turns: [Turn] = await withCheckedContinuation { continuation in
      SequentialLoop(timeLimit: .milliseconds(40)).start(
        0..<4, where: { $0 != 1 },
        task: { item, _, done in
          if item != 2 { done(.success("\(item)")) }
          return nil
        }, notify: followUpQueue
      ) { turns in
        followUps.add()
        if DispatchQueue.getSpecific(key: key) == true { continuation.resume(returning: turns) }
      }
    }
    let timeout = LoadFailure(.timeout, "no answer within 0.04 seconds")
    #expect(turns.map(\.outcome) == [.succeeded("0"), .skipped, .failed(timeout), .succeeded("3")])
    await onOwnThread { followUpQueue.sync {} }
    #expect(followUps.value == 1)
  }

  @Test func `no item: the follow-up hears of an empty list`() async {
    let followUps = Count()
    let queue = DispatchQueue(label: "follow-up")
    let turns: [Turn] = await withCheckedContinuation { continuation in
      SequentialLoop().start([Int](), task: { _, _, _ in nil }, notify: queue) { turns in
        followUps.add()
        continuation.resume(returning: turns)
      }
    }
    #expect(turns.isEmpty)
    await onOwnThread { queue.sync {} }
    #expect(followUps.value == 1)
  }

  @Test func `start returns while the first task is still out, and the loop has a queue of its own`() async {
    let answers = Gathering<SequentialLoop.Done<String>>()
    let isOver = Gate()
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "caller")
    queue.setSpecific(key: key, value: true)
    let onCaller = Count()
    let begun = Count()
    let first = begun.gate(at: 1)
    @Sendable func note() { if DispatchQueue.getSpecific(key: key) == true { onCaller.add() } }
    // Comes back although no task has ended: the caller is never blocked.
    await onOwnThread {
      queue.sync {
        SequentialLoop().start(
          0..<2,
          where: { _ in
            note()
            return true
          },
          task: { item, _, done in
            note()
            if item == 0 { answers.add(done) } else { done(.success("second")) }
            begun.add()
            return nil
          }, notify: queue
        ) { turns in
          if turns.map(\.outcome) == [.succeeded("first"), .succeeded("second")] { isOver.open() }
        }
      }
    }
    await first.passed()
    #expect(begun.value == 1 && !isOver.isOpen)
    answers.values[0](.success("first"))
    await isOver.passed()
    #expect(onCaller.value == 0)
  }

  @Test(arguments: [false, true]) func `ten thousand tasks, one after the other`(isSynchronous: Bool) async {
    let inFlight = Count()
    let turns: [Turn] = await onOwnThread { [queue] in
      SequentialLoop().run(0..<10_000) { item, _, done in
        inFlight.add()
        let end: @Sendable () -> Void = {
          inFlight.add(-1)
          done(item % 7 == 0 ? .failure(Self.broken) : .success("\(item)"))
        }
        if isSynchronous { end() } else { queue.async(execute: end) }
        return nil
      }
    }
    #expect(turns.count == 10_000 && inFlight.highest == 1)
    let wrong = turns.enumerated().filter { place, turn in
      turn.index != place || turn.outcome != (place % 7 == 0 ? .failed(Self.broken) : .succeeded("\(place)"))
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a second signal that comes while the next task is waited for belongs to its own turn`() async {
    let answers = Gathering<SequentialLoop.Done<String>>()
    let turns: [Turn] = await onOwnThread { [queue] in
      SequentialLoop().run(0..<3) { item, _, done in
        answers.add(done)
        guard item == 1 else {
          done(.success("first of \(item)"))
          return nil
        }
        // The loop waits for turn 1 when turn 0 speaks again.
        queue.async {
          answers.values[0](.success("second of 0"))
          answers.values[0](.failure(Self.broken))
          done(.success("first of 1"))
        }
        return nil
      }
    }
    #expect(turns.map(\.outcome) == (0..<3).map { .succeeded("first of \($0)") })
    #expect(turns.map(\.ignored.repeated) == [2, 0, 0] && turns.map(\.ignored.total) == [2, 0, 0])
  }
}
