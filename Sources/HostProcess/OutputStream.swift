internal import Dispatch
internal import Glibc
internal import Synchronization

/// Writes bytes to a standard stream or a log file until its reader goes away.
///
/// Safe from every thread; the bytes of one call stay together. After the first failure (EPIPE, a full disk) every
/// later call does nothing and answers false, so that a run outlives its reader.
public final class OutputStream: Sendable {
  public static let standardOutput = OutputStream(descriptor: 1, isOwned: false)
  public static let standardError = OutputStream(descriptor: 2, isOwned: false)

  let descriptor: Int32
  private let isOwned: Bool
  /// Lets one thread through at a time. Several threads tell what they do, and a lock that is handed over by the kernel
  /// is no order that the thread sanitizer can see.
  private let turnstile = DispatchSemaphore(value: 1)
  /// The `errno` of the first failed write.
  private let firstFailure = Mutex<Int32?>(nil)

  init(descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Opens a file for appending, made where it is missing (`--log-file`).
  public static func appending(to path: [UInt8]) throws(StreamError) -> OutputStream {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY
    let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], flags, 0o666)
    guard descriptor >= 0 else { throw StreamError(path: path, operation: "cannot be opened", errno: Glibc.errno) }
    return OutputStream(descriptor: descriptor, isOwned: true)
  }

  /// The `errno` of the write that ended this stream; EPIPE when the reader left.
  public var failure: Int32? {
    turnstile.wait()
    defer { turnstile.signal() }
    return firstFailure.withLock { $0 }
  }

  /// Whether the stream has lost its reader, which is no fault of the run.
  public var isBrokenPipe: Bool { failure == EPIPE }

  /// Why bytes were lost though their reader was still there: "No space left on device". Nil when none were.
  public var lossReason: String? {
    guard let failure, failure != EPIPE else { return nil }
    return unsafe strerror(failure).map { unsafe String(cString: $0) } ?? "error \(failure)"
  }

  /// Writes all bytes, over short writes and interruptions. False when they did not all go out.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    turnstile.wait()
    defer { turnstile.signal() }
    return firstFailure.withLock { failure in
      guard failure == nil else { return false }
      failure = writeAll(bytes)
      return failure == nil
    }
  }

  private func writeAll(_ bytes: [UInt8]) -> Int32? {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Somebody who shares this terminal or pipe made it non-blocking.
          var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&wish, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The width of the terminal in columns; nil when this is none, or when it does not say.
  public var terminalWidth: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
