import Glibc

@testable import Workers

/// Sends bytes over a real socket pair and receives what frames they make.
enum Wire {
  /// The frames before the first that is none; ends when the bytes do.
  static func frames(_ bytes: [UInt8], limit: Int) -> [WorkerFrame] {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return [] }
    let channel = WorkerChannel(owning: ends[0])
    // What does not fit into the socket's own buffer is not sent: a receiver that gave up would take no more.
    _ = bytes.withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
    close(ends[1])
    var frames: [WorkerFrame] = []
    while case .frame(let frame, let descriptor) = channel.receive(within: 1000, limit: limit) {
      precondition(descriptor == nil, "a descriptor out of nothing")
      precondition(frame.payload.count <= limit, "a frame that is longer than allowed")
      frames.append(frame)
    }
    return frames
  }
}
