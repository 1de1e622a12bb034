import Dispatch
import Synchronization

/// Guards one value that several threads share: `Mutex` with a turnstile in front.
///
/// On Linux a `Mutex` that is contended is handed over by the kernel, where the thread sanitizer cannot see it, and
/// every access behind it is then reported as a race. The semaphore (initial value 1) lets one thread through at a
/// time, so the mutex inside is never contended; it stays for what the compiler checks. Hold it briefly, and call
/// nothing foreign while holding it.
public struct Guarded<State>: ~Copyable, Sendable {
  private let turnstile = DispatchSemaphore(value: 1)
  private let state: Mutex<State>

  public init(_ initial: consuming sending State) {
    state = Mutex(initial)
  }

  /// Runs `body` alone with the value and returns what it returns.
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    turnstile.wait()
    defer { turnstile.signal() }
    return try state.withLock(body)
  }
}
