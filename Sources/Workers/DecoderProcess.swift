internal import CWorkers

/// Is one decoder process, as its run sees it.
///
/// Belongs to the thread that started it: the process dies when that thread ends, whatever else happens. Ended when
/// nobody holds it any more.
public final class DecoderProcess {
  /// Says why no process could be started.
  public struct StartFailure: Error, Sendable, Hashable {
    public let errno: Int32

    /// The system's own words.
    public var reason: String { unsafe String(cString: cw_error_words(errno)) }

    /// Whether the system was short of something that may be there again in a moment.
    public var mayPass: Bool { DecoderProcess.passingErrors.contains(errno) }
  }

  /// EAGAIN, ENOMEM, ENFILE, EMFILE, ETXTBSY (asm-generic/errno-base.h, the same on every architecture of Linux).
  private static let passingErrors: Set<Int32> = [11, 12, 23, 24, 26]

  /// The hidden command word that makes the program a decoder.
  public static let commandWord = "decode-worker"

  public let channel: WorkerChannel
  public let processID: Int32
  private var ending: Ending?
  /// Milliseconds for a process whose socket is closed to end by itself, so that its own ending is told.
  private static let patience: Int32 = 500

  /// SIGXCPU: the signal with which the kernel ends a process whose processor time is used up.
  public static let outOfProcessorTime: Int32 = 24

  private init(channel: WorkerChannel, processID: Int32) {
    self.channel = channel
    self.processID = processID
  }

  deinit {
    if ending == nil { _ = cw_process_end(processID, 0) }
  }

  /// Starts a decoder that may allocate `memory` bytes. `program` is an executable that knows `commandWord`.
  public static func start(program: String, memory: Int) throws(StartFailure) -> DecoderProcess {
    var processID: Int32 = 0
    var socket: Int32 = -1
    // Nothing of the run's surroundings goes along; a crash report would only cost time.
    let variable = Array("SWIFT_BACKTRACE=enable=no".utf8CString)
    let status = unsafe variable.withUnsafeBufferPointer { text in
      let environment = unsafe [text.baseAddress.map { unsafe UnsafeMutablePointer(mutating: $0) }, nil]
      return unsafe environment.withUnsafeBufferPointer { list in
        guard let start = list.baseAddress else { return Int32(22) }
        return unsafe cw_process_start(program, commandWord, String(memory), start, &processID, &socket)
      }
    }
    guard status == 0 else { throw StartFailure(errno: status) }
    return DecoderProcess(channel: WorkerChannel(owning: socket), processID: processID)
  }

  /// Kills the process if it still lives.
  public func kill() {
    ending = ending ?? Ending(cw_process_end(processID, 0))
  }

  /// Tells how a process ended whose end of the socket is gone. One that lives on all the same is killed.
  public func reap() -> Ending {
    let ending = ending ?? Ending(cw_process_end(processID, Self.patience))
    self.ending = ending
    return ending
  }

  /// Allows the process this much processor time beside what it has used; beyond that the kernel ends it.
  ///
  /// False when the kernel refuses.
  public func allowProcessorTime(seconds: Int) -> Bool {
    let used = cw_process_cpu_used(processID) / 1000
    let (limit, isTooLarge) = used.addingReportingOverflow(UInt64(clamping: seconds))
    return cw_process_set_cpu_limit(processID, isTooLarge ? .max : limit)
  }
}

extension DecoderProcess {
  /// Says how a process ended.
  public enum Ending: Sendable, Hashable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// It had closed its end of the socket and lived on.
    case hungUp
    /// Somebody else collected it, or the kernel holds on to it.
    case unknown

    init(_ ending: cw_ending) {
      switch ending.kind {
      case .exited: self = .exited(ending.number)
      case .signalled: self = .signalled(ending.number)
      case .killed: self = .hungUp
      case .unknown: self = .unknown
      }
    }

    /// `signal 11 (SIGSEGV)` or `exit code 1`.
    public var description: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signalled(let signal):
        Self.names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
      case .hungUp: "a closed socket"
      case .unknown: "an unknown cause"
      }
    }

    private static let names: [Int32: String] = [
      1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
      9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
    ]
  }
}
