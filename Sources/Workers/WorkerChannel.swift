internal import CWorkers

/// Sends and receives frames over one end of a socket pair.
///
/// Belongs to one thread. Nothing that the other end does makes a wait longer than was asked for, or takes more memory
/// than has come. Closes the descriptor when nobody holds it any more.
public final class WorkerChannel {
  /// What came.
  public enum Received: Sendable {
    /// A whole frame, and the descriptor that came along; whoever takes it closes it.
    case frame(WorkerFrame, descriptor: Int32?)
    /// The other end is gone, perhaps in the middle of a frame.
    case closed
    /// No whole frame came in time; what has come of one is kept for the next call.
    case timedOut
    /// What came is no frame of this protocol. Nothing more can be received.
    case malformed
  }

  let socket: Int32
  /// The frame that is coming in.
  private var head: [UInt8] = []
  private var payload: [UInt8] = []
  private var descriptor: Int32?
  private var isBroken = false
  private static let pieceLength = 1 << 18

  public init(owning socket: Int32) {
    self.socket = socket
  }

  deinit {
    if let descriptor { cw_descriptor_close(descriptor) }
    cw_descriptor_close(socket)
  }

  /// Sends a frame, and a descriptor with its first byte; false when the other end is gone.
  public func send(_ frame: WorkerFrame, descriptor: Int32 = -1) -> Bool {
    let bytes = frame.encoded
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe cw_socket_send(socket, start, buffer.count, descriptor) == .done
    }
  }

  /// Waits for the next whole frame, `milliseconds` at most (nil: for ever).
  ///
  /// - Parameters:
  ///   - limit: the longest payload that is taken, in bytes.
  ///   - takesDescriptor: whether one descriptor may come along, with any byte of the frame: the kernel joins pieces.
  ///     What comes beyond that is closed and makes the frame malformed.
  public func receive(within milliseconds: Int32?, limit: Int, takesDescriptor: Bool = false) -> Received {
    let deadline = milliseconds.map { ContinuousClock.now.advanced(by: .milliseconds(Int($0))) }
    while !isBroken {
      var missing = WorkerFrame.headLength - head.count
      if missing == 0 {
        guard let (kind, length) = WorkerFrame.head(head), length <= limit else { break }
        missing = length - payload.count
        if missing == 0 { return takeFrame(kind) }
      }
      switch piece(upTo: min(missing, Self.pieceLength), until: deadline, takesDescriptor) {
      case .done: continue
      case .closed: return .closed
      case .timedOut: return .timedOut
      case .failed: isBroken = true
      }
    }
    isBroken = true
    return .malformed
  }

  private func takeFrame(_ kind: WorkerFrame.Kind) -> Received {
    defer { (head, payload, descriptor) = ([], [], nil) }
    return .frame(WorkerFrame(kind, payload), descriptor: descriptor)
  }

  /// Adds what is there, at most `count` bytes, to the frame that is coming in.
  private func piece(upTo count: Int, until deadline: ContinuousClock.Instant?, _ takesDescriptor: Bool) -> CWTransfer {
    let isHead = head.count < WorkerFrame.headLength
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    var stray: Int32 = -1
    let transfer = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return CWTransfer.failed }
      return unsafe cw_socket_receive(
        socket, start, buffer.count, Self.milliseconds(until: deadline), &received, &stray)
    }
    if isHead { head += bytes[..<received] } else { payload += bytes[..<received] }
    guard stray >= 0 else { return transfer }
    guard transfer == .done, takesDescriptor, descriptor == nil else {
      cw_descriptor_close(stray)
      return .failed
    }
    descriptor = stray
    return .done
  }

  /// What is left until the deadline, rounded up; -1 when there is none.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left.rounded(.up), Double(Int32.max)))
  }
}
