import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HostProcess

@Suite(.timeLimit(.minutes(1)))
struct OwnThreadTests {
  /// Keeps what a thread saw of itself.
  private final class Seen: Sendable {
    let values = Mutex<[String]>([])
    func add(_ value: String) { values.withLock { $0.append(value) } }
  }

  private static func wait(for thread: OwnThread) async {
    await withCheckedContinuation { continuation in
      _ = OwnThread.start(name: "waiter") {
        thread.join()
        thread.join()
        continuation.resume()
      }
    }
  }

  @Test func `the closure runs on a thread of that name, and join waits for its end`() async {
    let seen = Seen()
    let thread = OwnThread.start(name: "decode-7-and-much-more") {
      let name = (try? InputStream.readAll(Array("/proc/thread-self/comm".utf8))) ?? []
      seen.add(String(decoding: name, as: UTF8.self))
    }
    await OwnThreadTests.wait(for: thread)
    #expect(seen.values.withLock { $0 } == ["decode-7-and-mu\n"])
  }

  @Test func `a join with a limit leaves a thread that takes longer, and finds one that has ended`() async {
    let mayEnd = DispatchSemaphore(value: 0)
    let thread = OwnThread.start(name: "slow") { mayEnd.wait() }
    let joined = await withCheckedContinuation { continuation in
      _ = OwnThread.start(name: "waiter") {
        var joined = [thread.join(atMost: .zero), thread.join(atMost: .milliseconds(20))]
        mayEnd.signal()
        joined += [thread.join(atMost: .seconds(30)), thread.join(atMost: .zero)]
        continuation.resume(returning: joined)
      }
    }
    #expect(joined == [false, false, true, true])
  }

  /// The mask of the calling thread, as far as watched signals go.
  private static func blocked() -> [Bool] {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return [SIGINT, SIGTERM, SIGHUP].map { unsafe sigismember(&mask, $0) == 1 }
  }

  @Test func `the thread has the watched signals blocked and its maker keeps its mask`() async {
    let seen = Seen()
    // A maker of our own: the workers of the tests come with masks of theirs.
    let maker = OwnThread.start(name: "maker") {
      SignalMask.unblock([SIGTERM])
      let inner = OwnThread.start(name: "masked") { seen.add("\(OwnThreadTests.blocked())") }
      inner.join()
      seen.add("\(OwnThreadTests.blocked())")
    }
    await OwnThreadTests.wait(for: maker)
    #expect(seen.values.withLock { $0 } == ["[true, true, true]", "[true, false, true]"])
  }

  @Test func `the stack is deep`() async {
    let seen = Seen()
    @Sendable func dig(_ depth: Int) -> Int {
      var room = InlineArray<1024, UInt8>(repeating: UInt8(truncatingIfNeeded: depth))
      room[depth % 1024] = 1
      return depth == 0 ? Int(room[0]) : dig(depth - 1) + Int(room[depth % 1024])
    }
    let thread = OwnThread.start(name: "deep") { seen.add("\(dig(3000))") }
    await OwnThreadTests.wait(for: thread)
    #expect(seen.values.withLock { $0 } == ["3001"])
  }

  @Test func `threads nobody joins are given back`() async {
    let done = Atomic<Int>(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for _ in 0..<2000 {
        _ = OwnThread.start(name: "short") {
          if done.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue == 2000 { continuation.resume() }
        }
      }
    }
    #expect(done.load(ordering: .sequentiallyConsistent) == 2000)
  }
}
