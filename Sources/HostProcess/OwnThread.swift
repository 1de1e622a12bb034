internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs one closure on a thread made for it.
///
/// A blocking loop owns its thread: parked Dispatch workers stall the whole pool on Linux. The thread has a stack of
/// 8 MiB and starts with the signals of `SignalWatch` blocked, so that they reach the watching thread only.
public final class OwnThread: Sendable {
  /// The kernel's handle. Given back once: by `join`, or by `deinit` when nobody joined.
  let handle: pthread_t
  /// Guards against joining twice; held while the first caller waits, so that a second one waits as well.
  private let isJoined = Mutex(false)

  /// Signalled when the closure has returned.
  private let ended: DispatchSemaphore

  private init(handle: pthread_t, ended: DispatchSemaphore) {
    self.handle = handle
    self.ended = ended
  }

  deinit {
    if !isJoined.withLock({ $0 }) { pthread_detach(handle) }
  }

  /// Starts `body` on a new thread and returns at once. The kernel keeps the first 15 bytes of `name`.
  ///
  /// When the system has no thread left the process says so and exits with 1: nothing here can run without one.
  public static func start(name: String, _ body: @escaping @Sendable () -> Void) -> OwnThread {
    let ended = DispatchSemaphore(value: 0)
    let work = unsafe Unmanaged.passRetained(
      ThreadWork(name: name) {
        body()
        ended.signal()
      })
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    defer { unsafe pthread_attr_destroy(&attributes) }

    // A thread inherits the mask of its maker, so ours is changed for the moment of the birth.
    let previous = SignalMask.block(SignalMask.watched)
    defer { previous.restore() }
    var handle = pthread_t()
    let status = unsafe pthread_create(
      &handle, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let work = unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue()
        work.run()
        return nil
      }, unsafe work.toOpaque())
    guard status == 0 else {
      unsafe work.release()
      _ = OutputStream.standardError.write(Array("photo-ingest: no thread can be started\n".utf8))
      HostProcess.exit(1)
    }
    return OwnThread(handle: handle, ended: ended)
  }

  /// Waits until the closure has returned. A second call returns at once, or waits with the first.
  @available(*, noasync, message: "join blocks its thread")
  public func join() {
    precondition(pthread_self() != handle, "a thread cannot wait for its own end")
    isJoined.withLock { isJoined in
      guard !isJoined else { return }
      pthread_join(handle, nil)
      isJoined = true
    }
  }

  /// Waits until the closure has returned, but no longer than `limit`. False when it has not; it goes on then.
  @available(*, noasync, message: "join blocks its thread")
  public func join(atMost limit: Duration) -> Bool {
    let (seconds, attoseconds) = limit.components
    guard ended.wait(timeout: .now() + Double(seconds) + Double(attoseconds) * 1e-18) == .success else { return false }
    // For whoever asks again.
    ended.signal()
    return true
  }
}

/// Carries a closure over to its thread.
private final class ThreadWork: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    // Swift does not see pthread_setname_np; this file is what that function writes to. A name is a nicety.
    let names = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    if names >= 0 {
      let short = Array(name.utf8.prefix(15))
      _ = unsafe write(names, short, short.count)
      close(names)
    }
    body()
  }
}
