internal import CWorkers

/// Is one decoder process, as its run sees it.
///
/// Belongs to the thread that started it: the process dies when that thread ends, whatever else happens. Ended when
/// nobody holds it any more.
public final class DecoderProcess {
  /// Says how a process died.
  public struct Ending: Sendable, Hashable, CustomStringConvertible {
    /// The signal that ended it, or nil.
    public let signal: Int32?
    public let exitCode: Int32

    /// `signal 11 (SIGSEGV)` or `exit code 1`.
    public var description: String {
      guard let signal else { return "exit code \(exitCode)" }
      let names: [Int32: String] = [
        4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM",
        24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
      ]
      return names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
    }
  }

  /// Says why no process could be started.
  public struct StartFailure: Error, Sendable, Hashable {
    public let errno: Int32

    /// The system's own words.
    public var reason: String { unsafe String(cString: cw_error_words(errno)) }
  }

  /// The hidden command word that makes the program a decoder.
  public static let commandWord = "decode-worker"

  public let channel: WorkerChannel
  public let processID: Int32
  private var hasEnded = false

  private init(channel: WorkerChannel, processID: Int32) {
    self.channel = channel
    self.processID = processID
  }

  deinit {
    if !hasEnded { _ = cw_process_end(processID) }
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

  /// Kills the process if it still lives, and tells how it ended.
  public func end() -> Ending {
    hasEnded = true
    return Ending(cw_process_end(processID))
  }

  /// Waits for a process whose end of the socket is gone, and tells how it ended.
  public func reap() -> Ending {
    hasEnded = true
    return Ending(cw_process_reap(processID))
  }

  /// Moves the processor time, in seconds from its start, after which the kernel ends the process.
  public func setProcessorLimit(seconds: Int) {
    _ = cw_process_set_cpu_limit(processID, UInt64(clamping: seconds))
  }
}

extension DecoderProcess.Ending {
  init(_ ending: cw_ending) {
    self.init(signal: ending.by_signal ? ending.number : nil, exitCode: ending.by_signal ? 0 : ending.number)
  }
}
