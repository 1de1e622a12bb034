internal import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into calls of a plain closure on a thread of its own.
///
/// `begin` is the first thing a program does: it blocks the signals in the calling thread, and every thread started
/// later inherits that. The closure runs outside any signal handler, so it may lock, allocate and print. It runs once
/// for each signal taken, one after the other; a second Ctrl-C is a second call.
public final class SignalWatch: Sendable {
  let thread: OwnThread?

  private init(thread: OwnThread?) {
    self.thread = thread
  }

  /// Starts to watch. A signal that was ignored on entry (`nohup` and SIGHUP) stays ignored.
  public static func begin(_ handler: @escaping @Sendable (Int32) -> Void) -> SignalWatch {
    let signals = SignalMask.watched.filter { !isIgnored($0) }
    guard !signals.isEmpty else { return SignalWatch(thread: nil) }
    _ = SignalMask.block(signals)
    let mask = SignalMask(signals)
    let thread = OwnThread.start(name: "signals") {
      while true {
        if let signal = mask.wait() { handler(signal) }
      }
    }
    return SignalWatch(thread: thread)
  }

  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1, no function: it can only be compared as a number.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
