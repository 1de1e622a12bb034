import Glibc
import Testing
import Workers

/// Is a channel under test, and the bare other end of its socket pair.
final class SocketPair {
  let channel: WorkerChannel
  private var other: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    channel = WorkerChannel(owning: ends[0])
    other = ends[1]
  }

  deinit { hangUp() }

  func hangUp() {
    if other >= 0 { close(other) }
    other = -1
  }

  /// Sends bytes as they are, and descriptors with the first of them, however many (unix(7): SCM_RIGHTS).
  func send(_ bytes: [UInt8], descriptors: [Int32] = []) {
    var bytes = bytes
    // A header of length, level and type, in 8, 4 and 4 bytes, and the numbers behind it.
    var control = [UInt8](repeating: 0, count: 16 + (descriptors.count * 4 + 7) / 8 * 8)
    unsafe control.withUnsafeMutableBytes { control in
      unsafe control.storeBytes(of: 16 + descriptors.count * 4, toByteOffset: 0, as: Int.self)
      unsafe control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      unsafe control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      for (index, descriptor) in descriptors.enumerated() {
        unsafe control.storeBytes(of: descriptor, toByteOffset: 16 + index * 4, as: Int32.self)
      }
      let length = control.count
      let start = control.baseAddress
      unsafe bytes.withUnsafeMutableBytes { bytes in
        var piece = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        unsafe withUnsafeMutablePointer(to: &piece) { piece in
          var message = unsafe msghdr()
          unsafe message.msg_iov = piece
          unsafe message.msg_iovlen = 1
          if !descriptors.isEmpty {
            unsafe message.msg_control = start
            unsafe message.msg_controllen = length
          }
          unsafe #expect(sendmsg(other, &message, Int32(MSG_NOSIGNAL)) == bytes.count)
        }
      }
    }
  }
}

extension SocketPair {
  /// Two channels that talk to each other, each to be made on the thread that uses it.
  struct Channels: Sendable {
    fileprivate let ends: [Int32]
    func near() -> WorkerChannel { WorkerChannel(owning: ends[0]) }
    func far() -> WorkerChannel { WorkerChannel(owning: ends[1]) }
  }

  static func channels() throws -> Channels {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    return Channels(ends: ends)
  }
}

enum Descriptors {
  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}

/// Is a pair of ends of which one tells whether any copy of the other is still open.
final class WatchedEnd {
  private let reading: Int32
  private(set) var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    closeWriting()
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Whether somebody else holds a writing end; our own is closed first.
  var isHeldElsewhere: Bool {
    closeWriting()
    var byte: UInt8 = 0
    return unsafe read(reading, &byte, 1) != 0
  }
}
