internal import Glibc

/// Owns one open file descriptor and closes it when nobody holds it any more.
///
/// Names are bytes without NUL and are looked up relative to this descriptor. Every descriptor is close-on-exec.
final class Descriptor: Sendable {
  /// O_PATH, which Swift does not see (Linux, asm-generic/fcntl.h): a folder to look things up in, no more.
  static let pathOnly: Int32 = 0o10000000

  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Opens a path as a user gave it, links followed.
  static func open(path: [UInt8], _ flags: Int32) throws(SystemError) -> Descriptor {
    try opened(AT_FDCWD, path[...], flags, 0)
  }

  /// Opens a name in this folder. The callers that must not follow a link say O_NOFOLLOW.
  func open(_ name: ArraySlice<UInt8>, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Descriptor {
    try Descriptor.opened(number, name, flags, mode)
  }

  /// Opens a folder of this folder, never through a link.
  func openFolder(_ name: ArraySlice<UInt8>) throws(SystemError) -> Descriptor {
    try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)
  }

  private static func opened(
    _ folder: Int32, _ name: ArraySlice<UInt8>, _ flags: Int32, _ mode: mode_t
  ) throws(SystemError) -> Descriptor {
    let text = nulTerminated(name)
    while true {
      let number = unsafe openat(folder, text, flags | O_CLOEXEC | O_NOCTTY, mode)
      if number >= 0 { return Descriptor(owning: number) }
      if errno != EINTR { throw SystemError.last }
    }
  }

  /// What this descriptor leads to.
  func status() throws(SystemError) -> stat {
    var result = stat()
    guard unsafe fstat(number, &result) == 0 else { throw SystemError.last }
    return result
  }

  /// What a name in this folder is; of a link the link itself unless `follow` is set.
  func status(of name: ArraySlice<UInt8>, follow: Bool = false) throws(SystemError) -> stat {
    var result = stat()
    guard unsafe fstatat(number, nulTerminated(name), &result, follow ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      throw SystemError.last
    }
    return result
  }

  func makeFolder(_ name: ArraySlice<UInt8>) throws(SystemError) {
    guard unsafe mkdirat(number, nulTerminated(name), 0o777) == 0 else { throw SystemError.last }
  }

  func remove(_ name: ArraySlice<UInt8>, isFolder: Bool = false) throws(SystemError) {
    guard unsafe unlinkat(number, nulTerminated(name), isFolder ? AT_REMOVEDIR : 0) == 0 else {
      throw SystemError.last
    }
  }

  func rename(
    _ name: ArraySlice<UInt8>, to folder: Descriptor, _ newName: ArraySlice<UInt8>
  ) throws(SystemError) {
    guard unsafe renameat(number, nulTerminated(name), folder.number, nulTerminated(newName)) == 0 else {
      throw SystemError.last
    }
  }

  /// Makes content durable. After a failure the kernel has dropped the pages: never call it again, throw the file away.
  func synchronize() throws(SystemError) {
    while fsync(number) != 0 {
      if errno != EINTR { throw SystemError.last }
    }
  }

  /// Puts the next bytes of the file into the buffer; 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw SystemError.last }
    }
  }

  /// Reads until the array is full or the file ends, and returns how many bytes came.
  func fill(_ bytes: inout [UInt8]) throws(SystemError) -> Int {
    var filled = 0
    while filled < bytes.count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(SystemError) in
          try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
      }
      let count = try result.get()
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all bytes, over short writes and interruptions.
  func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        throw SystemError(errno: EIO)
      } else if errno != EINTR {
        throw SystemError.last
      }
    }
  }
}

/// The bytes as the C library wants a name. A NUL inside would name another file; such a name leads nowhere.
func nulTerminated(_ name: ArraySlice<UInt8>) -> [CChar] {
  guard !name.contains(0) else { return [0] }
  var text: [CChar] = []
  text.reserveCapacity(name.count + 1)
  for byte in name { text.append(CChar(bitPattern: byte)) }
  text.append(0)
  return text
}

extension stat {
  var type: mode_t { st_mode & S_IFMT }
  var isFolder: Bool { type == S_IFDIR }
  var isRegular: Bool { type == S_IFREG }
  var isLink: Bool { type == S_IFLNK }
}
