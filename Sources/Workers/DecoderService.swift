internal import CWorkers

/// Is the inside of a decoder process: takes photos one by one and answers each, until its run is gone.
public enum DecoderService {
  /// Names a part of the sandbox (what the kernel may refuse).
  public enum Measure: UInt8, Sendable, CaseIterable {
    case noNewPrivileges = 0
    case memoryLimit, fileLimits, noCore, systemCalls, dieWithParent

    /// For messages.
    public var words: String {
      switch self {
      case .noNewPrivileges: "no new privileges"
      case .memoryLimit: "the memory limit"
      case .fileLimits: "the limits on files"
      case .noCore: "no core dumps"
      case .systemCalls: "the filter of system calls"
      case .dieWithParent: "dying with the run"
      }
    }
  }

  /// Answers one request on the channel; the descriptor is the photo's and closed by whoever takes it.
  public typealias Handler = (_ payload: [UInt8], _ descriptor: Int32, _ channel: WorkerChannel) -> Void

  /// Drops the rights of this process, says that it is ready, and serves until the other end is gone.
  ///
  /// Returns the exit code: 0, or 1 when something came that is no message of this protocol. `warmUp` runs before the
  /// rights are gone: whatever a library opens at its first use must be opened by then.
  ///
  /// - Parameter memory: bytes that the process may allocate in all.
  public static func serve(memory: Int, warmUp: () -> Void, handler: Handler) -> Int32 {
    let channel = WorkerChannel(owning: CW_CHILD_SOCKET)
    var refused: UInt32 = cw_sandbox_die_with_parent() ? 0 : UInt32(CW_MEASURE_DIE_WITH_PARENT)
    warmUp()
    refused |= cw_sandbox_enter(UInt64(clamping: memory))
    guard channel.send(WorkerFrame(.ready, measures(refused).map(\.rawValue))) else { return 0 }
    while true {
      switch channel.receive(within: nil) {
      case .frame(let frame, let descriptor):
        switch (frame.kind, descriptor) {
        case (.request, let descriptor?): handler(frame.payload, descriptor, channel)
        case (.attempt, nil) where frame.payload.count == 1:
          let outcome = cw_sandbox_try(Int32(frame.payload[0]))
          var writer = MessageWriter()
          writer.add(Int(outcome))
          guard channel.send(WorkerFrame(.attempt, writer.bytes)) else { return 0 }
        default: return 1
        }
      case .closed, .timedOut: return 0
      case .malformed: return 1
      }
    }
  }

  /// Processor time used so far, in milliseconds.
  public static var processorMilliseconds: Int { Int(clamping: cw_process_cpu_used()) }

  private static func measures(_ bits: UInt32) -> [Measure] {
    let places: [(Int32, Measure)] = [
      (Int32(CW_MEASURE_NO_NEW_PRIVILEGES), .noNewPrivileges), (Int32(CW_MEASURE_MEMORY_LIMIT), .memoryLimit),
      (Int32(CW_MEASURE_FILE_LIMITS), .fileLimits), (Int32(CW_MEASURE_NO_CORE), .noCore),
      (Int32(CW_MEASURE_SYSTEM_CALLS), .systemCalls), (Int32(CW_MEASURE_DIE_WITH_PARENT), .dieWithParent),
    ]
    return places.filter { bits & UInt32($0.0) != 0 }.map(\.1)
  }
}
