internal import CThreads
internal import Dispatch

/// Lets one thread at a time have a resource, and lets another one give it back.
///
/// Safe from every thread. The holder is the thread that took the resource; the work that it began may end elsewhere, so
/// `finish` is not bound to it. Those who wait get the resource in the order in which they came. `OutputLock` keeps the
/// same contract between processes.
public final class ResourceLock: Sendable {
  private struct State {
    /// The number of the thread that has the resource; nil when it is free.
    var holder: UInt64?
    /// Those who wait, the first one first. Empty while the resource is free.
    var waiters: [(thread: UInt64, wake: DispatchSemaphore)] = []
  }

  private enum Answer { case obtained, alreadyHeld, queued }

  private let state = Guarded(State())

  public init() {}

  /// Takes the resource if it is free, and answers at once: true when the calling thread has it now, false when it had
  /// somebody already, be it the calling thread itself.
  public func obtain() -> Bool {
    let thread = ct_thread_number()
    return state.withLock { state in
      guard state.holder == nil else { return false }
      state.holder = thread
      return true
    }
  }

  /// Blocks until the resource is free and takes it: true. A thread that has it already is not blocked and gets false.
  @available(*, noasync, message: "wait blocks its thread; call it from a thread of your own")
  @discardableResult
  public func wait() -> Bool {
    let thread = ct_thread_number()
    let wake = DispatchSemaphore(value: 0)
    let answer = state.withLock { state -> Answer in
      switch state.holder {
      case nil:
        state.holder = thread
        return .obtained
      case thread: return .alreadyHeld
      default:
        state.waiters.append((thread, wake))
        return .queued
      }
    }
    // Whoever wakes this thread has made it the holder before.
    if answer == .queued { wake.wait() }
    return answer != .alreadyHeld
  }

  /// Gives the resource back, from any thread, and wakes the one who has waited longest, who has it then. Does nothing
  /// when the resource is free.
  public func finish() {
    let wake = state.withLock { state -> DispatchSemaphore? in
      guard !state.waiters.isEmpty else {
        state.holder = nil
        return nil
      }
      let next = state.waiters.removeFirst()
      state.holder = next.thread
      return next.wake
    }
    wake?.signal()
  }
}
