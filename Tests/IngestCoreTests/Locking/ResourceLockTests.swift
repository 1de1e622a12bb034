import IngestCore
import IngestTestSupport
import Testing

/// Holds the resource lock against its contract (B4), with threads of the system.
@Suite(.timeLimit(.minutes(1)))
struct ResourceLockTests {
  @Test func `a free resource is obtained, and a taken one answers false at once, also to its holder`() async {
    let lock = ResourceLock()
    let answers = await onOwnThread { [lock.obtain(), lock.obtain()] }
    #expect(answers == [true, false])
    #expect(await onOwnThread { lock.obtain() } == false)
    lock.finish()
    #expect(await onOwnThread { lock.obtain() })
  }

  @Test func `a free resource is had without a wait`() async {
    let lock = ResourceLock()
    #expect(await onOwnThread { lock.wait() })
    #expect(await onOwnThread { lock.obtain() } == false)
  }

  @Test func `the holder that waits is not blocked and gets false, whichever way it got the resource`() async {
    let lock = ResourceLock()
    #expect(await onOwnThread { [lock.obtain(), lock.wait(), lock.wait()] } == [true, false, false])
    lock.finish()
    #expect(await onOwnThread { [lock.wait(), lock.wait()] } == [true, false])
  }

  @Test func `whoever waits goes on when another thread than the holder's gives the resource back`() async {
    let lock = ResourceLock()
    #expect(await onOwnThread { lock.obtain() })
    let (isWaiting, hasIt) = (Gate(), Gate())
    async let waiter = onOwnThread { () -> [Bool] in
      isWaiting.open()
      let first = lock.wait()
      hasIt.open()
      // It is the holder now.
      return [first, lock.wait(), lock.obtain()]
    }
    await isWaiting.passed()
    #expect(!hasIt.isOpen)
    await onOwnThread { lock.finish() }
    #expect(await waiter == [true, false, false])
    #expect(await onOwnThread { lock.obtain() } == false)
  }

  @Test func `a thread born after the holder's thread has ended is no holder`() async {
    // The system gives the numbers of ended threads out again.
    let lock = ResourceLock()
    #expect(await onOwnThread { lock.obtain() })
    for _ in 0..<50 {
      let hasIt = Gate()
      async let waiter = onOwnThread { () -> Bool in
        let answer = lock.wait()
        hasIt.open()
        return answer
      }
      #expect(!hasIt.isOpen)
      lock.finish()
      #expect(await waiter)
    }
  }

  @Test func `giving back what is free does nothing, and is not saved up`() async {
    let lock = ResourceLock()
    for _ in 0..<3 { lock.finish() }
    #expect(await onOwnThread { lock.obtain() })
    #expect(await onOwnThread { lock.obtain() } == false)
    lock.finish()
    lock.finish()
    #expect(await onOwnThread { lock.obtain() })
    #expect(await onOwnThread { lock.obtain() } == false)
  }

  @Test func `one giving back lets one waiter in`() async {
    let lock = ResourceLock()
    #expect(await onOwnThread { lock.obtain() })
    let inside = Count()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await onOwnThread {
            let answer = lock.wait()
            inside.add()
            return answer
          }
        }
      }
      for turn in 1...8 {
        lock.finish()
        await inside.gate(at: turn).passed()
        // Nobody has given it back yet, so nobody else can have come in.
        #expect(await onOwnThread { lock.obtain() } == false)
        #expect(inside.value == turn)
      }
      for await answer in group { #expect(answer) }
    }
  }

  @Test func `many threads that obtain and wait are never inside together, and all come in`() async {
    let lock = ResourceLock()
    let (inside, entries) = (Count(), Count())
    let threads = 24
    let rounds = 200
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<threads {
        group.addTask {
          await onOwnThread {
            for round in 0..<rounds {
              if (thread + round) % 3 != 0 || !lock.obtain() { #expect(lock.wait()) }
              inside.add()
              entries.add()
              inside.add(-1)
              lock.finish()
            }
          }
        }
      }
    }
    #expect(entries.value == threads * rounds)
    #expect(inside.highest == 1)
    #expect(await onOwnThread { lock.obtain() })
  }

  @Test func `of many threads that obtain at once exactly one gets it`() async {
    for _ in 0..<50 {
      let lock = ResourceLock()
      let start = Gate()
      let winners = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 {
          group.addTask {
            await onOwnThread {
              start.wait()
              return lock.obtain()
            }
          }
        }
        start.open()
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }
}
