internal import Glibc

/// Holds a set of signals, and knows how to block it in the calling thread.
struct SignalMask {
  private var set: sigset_t

  /// Signals that end a run in good order when somebody watches for them.
  static let watched: [Int32] = [SIGINT, SIGTERM, SIGHUP]

  private init(_ set: sigset_t) {
    self.set = set
  }

  init(_ signals: [Int32]) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    self.set = set
  }

  /// Blocks the signals in the calling thread and returns the mask that was there before.
  static func block(_ signals: [Int32]) -> SignalMask {
    var wanted = SignalMask(signals).set
    var previous = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &wanted, &previous)
    return SignalMask(previous)
  }

  static func unblock(_ signals: [Int32]) {
    var wanted = SignalMask(signals).set
    unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
  }

  /// Makes this the mask of the calling thread.
  func restore() {
    var wanted = set
    unsafe pthread_sigmask(SIG_SETMASK, &wanted, nil)
  }

  /// Waits until one of the signals is pending and takes it; nil when the wait was for nothing.
  func wait() -> Int32? {
    var wanted = set
    var signal: Int32 = 0
    return unsafe sigwait(&wanted, &signal) == 0 ? signal : nil
  }
}
