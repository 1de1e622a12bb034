internal import CWorkers

/// Sends and receives frames over one end of a socket pair.
///
/// Belongs to one thread. Closes the descriptor when nobody holds it any more.
public final class WorkerChannel {
  /// What came.
  public enum Received: Sendable {
    /// A whole frame, and the descriptor that came along; whoever takes it closes it.
    case frame(WorkerFrame, descriptor: Int32?)
    /// The other end is gone.
    case closed
    /// Nothing came in time.
    case timedOut
    /// What came is no frame of this protocol.
    case malformed
  }

  private let socket: Int32
  /// A peer that has begun a frame must go on within this time.
  private static let pieceMilliseconds: Int32 = 20_000
  /// Memory for a frame grows with what has come, not with what its head promises.
  private static let pieceLength = 1 << 20

  public init(owning socket: Int32) {
    self.socket = socket
  }

  deinit {
    cw_descriptor_close(socket)
  }

  /// Sends a frame; false when the other end is gone.
  public func send(_ frame: WorkerFrame, descriptor: Int32 = -1) -> Bool {
    let bytes = frame.encoded
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe cw_socket_send(socket, start, buffer.count, descriptor) == .done
    }
  }

  /// Waits for the next frame, `milliseconds` at most for its beginning (nil: for ever).
  public func receive(within milliseconds: Int32?) -> Received {
    if let milliseconds {
      switch cw_socket_wait(socket, milliseconds) {
      case .done: break
      case .timedOut: return .timedOut
      case .closed, .failed: return .closed
      }
    }
    var descriptor: Int32 = -1
    let pieceLimit = milliseconds == nil ? -1 : Self.pieceMilliseconds
    guard let headBytes = bytes(WorkerFrame.headLength, pieceLimit, &descriptor) else {
      if descriptor >= 0 { cw_descriptor_close(descriptor) }
      return .closed
    }
    guard let head = WorkerFrame.head(headBytes), let payload = payload(head.length, pieceLimit) else {
      if descriptor >= 0 { cw_descriptor_close(descriptor) }
      return .malformed
    }
    return .frame(WorkerFrame(head.kind, payload), descriptor: descriptor >= 0 ? descriptor : nil)
  }

  private func payload(_ length: Int, _ limit: Int32) -> [UInt8]? {
    var result: [UInt8] = []
    while result.count < length {
      var stray: Int32 = -1
      guard let piece = bytes(min(Self.pieceLength, length - result.count), limit, &stray) else { return nil }
      if stray >= 0 {
        cw_descriptor_close(stray)
        return nil
      }
      result.append(contentsOf: piece)
    }
    return result
  }

  private func bytes(_ count: Int, _ milliseconds: Int32, _ descriptor: inout Int32) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: count)
    let transfer = unsafe result.withUnsafeMutableBufferPointer { buffer -> CWTransfer in
      guard let start = buffer.baseAddress else { return .done }
      return unsafe cw_socket_receive(socket, start, count, milliseconds, &descriptor)
    }
    return transfer == .done ? result : nil
  }
}
