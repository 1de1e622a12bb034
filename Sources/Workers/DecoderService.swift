internal import CWorkers

/// Is the inside of a decoder process: takes photos one by one and answers each, until its run is gone.
public enum DecoderService {
  /// Answers one request on the channel; the descriptor is the photo's and closed by whoever takes it.
  ///
  /// False when the payload is no request.
  public typealias Handler = (_ payload: [UInt8], _ descriptor: Int32, _ channel: WorkerChannel) -> Bool

  /// The longest request, in bytes; a run's own are far below.
  static let longestRequest = 1 << 20

  /// Whether this process was started as a decoder: its socket is where it must be.
  public static var isPluggedIn: Bool { cw_descriptor_is_socket(CW_CHILD_SOCKET) }

  /// Drops the rights of this process, says that it is ready, and serves until the other end is gone.
  ///
  /// Returns the exit code: 0, or 1 when something came that is no message of this protocol. `warmUp` runs before the
  /// rights are gone: whatever a library opens at its first use must be opened by then.
  ///
  /// - Parameter memory: bytes that the process may allocate in all.
  public static func serve(memory: Int, warmUp: () -> Void, handler: Handler) -> Int32 {
    let channel = WorkerChannel(owning: CW_CHILD_SOCKET)
    var refused: UInt32 = cw_sandbox_die_with_parent() ? 0 : UInt32(CW_MEASURE_DIE_WITH_PARENT)
    cw_memory_keep()
    warmUp()
    refused |= cw_sandbox_enter(UInt64(clamping: memory))
    guard channel.send(WorkerFrame(.ready, SandboxMeasure.refused(refused).map(\.rawValue))) else { return 0 }
    while true {
      switch channel.receive(within: nil, limit: longestRequest, takesDescriptor: true) {
      case .frame(let frame, let descriptor):
        switch (frame.kind, descriptor) {
        case (.request, let descriptor?):
          // A run sends regular files only, which a read never waits for.
          guard cw_descriptor_is_regular(descriptor), handler(frame.payload, descriptor, channel) else { return 1 }
        case (.attempt, nil):
          guard frame.payload.count == 1, let what = attempt(frame.payload[0]) else { return 1 }
          var writer = MessageWriter()
          writer.add(Int(cw_sandbox_try(what)))
          guard channel.send(WorkerFrame(.attempt, writer.bytes)) else { return 0 }
        default: return 1
        }
      case .closed, .timedOut: return 0
      case .malformed: return 1
      }
    }
  }

  /// An imported enum takes any number; this one knows its own.
  private static func attempt(_ number: UInt8) -> CWAttempt? {
    number <= CWAttempt.raiseLimit.rawValue ? CWAttempt(rawValue: UInt32(number)) : nil
  }
}
