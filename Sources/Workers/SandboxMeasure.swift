internal import CWorkers

/// Names a part of the decoders' sandbox: what the kernel may refuse. The numbers are part of the protocol.
public enum SandboxMeasure: UInt8, Sendable, CaseIterable {
  case noNewPrivileges = 0
  case memoryLimit, fileLimits, noCore, systemCalls, dieWithParent
  /// Taken by the run, for each photo.
  case processorTime

  /// For messages.
  public var words: String {
    switch self {
    case .noNewPrivileges: "no new privileges"
    case .memoryLimit: "the memory limit"
    case .fileLimits: "the limits on files"
    case .noCore: "no core dumps"
    case .systemCalls: "the filter of system calls"
    case .dieWithParent: "dying with the run"
    case .processorTime: "the limit on processor time"
    }
  }

  /// What a ready decoder says was refused; nil when its message is none.
  public static func refused(in frame: WorkerFrame) -> [SandboxMeasure]? {
    let measures = frame.payload.compactMap(SandboxMeasure.init(rawValue:))
    return frame.kind == .ready && measures.count == frame.payload.count ? measures : nil
  }

  /// From C's set of bits.
  static func refused(_ bits: UInt32) -> [SandboxMeasure] {
    let places: [(Int, SandboxMeasure)] = [
      (CW_MEASURE_NO_NEW_PRIVILEGES, .noNewPrivileges), (CW_MEASURE_MEMORY_LIMIT, .memoryLimit),
      (CW_MEASURE_FILE_LIMITS, .fileLimits), (CW_MEASURE_NO_CORE, .noCore),
      (CW_MEASURE_SYSTEM_CALLS, .systemCalls), (CW_MEASURE_DIE_WITH_PARENT, .dieWithParent),
    ]
    return places.filter { bits & UInt32($0.0) != 0 }.map(\.1)
  }
}
