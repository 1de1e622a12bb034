import Glibc
import Testing

/// Notes which files in some folders are opened, by anybody, from when it is made (inotify).
final class OpenWatch {
  private let descriptor: Int32

  init(_ folders: [String]) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    try #require(descriptor >= 0)
    for folder in folders { try #require(unsafe inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0) }
  }

  deinit {
    close(descriptor)
  }

  /// The names of files, not folders, that were opened; each once, sorted.
  func opened() throws -> [String] {
    var names: Set<String> = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      // inotify_event: int wd; uint32_t mask, cookie, len; char name[len].
      var place = 0
      while place + 16 <= count {
        func word(_ offset: Int) -> UInt32 {
          (0..<4).reduce(UInt32(0)) { $0 | UInt32(buffer[place + offset + $1]) << UInt32(8 * $1) }
        }
        let length = Int(word(12))
        let name = buffer[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }
        if word(4) & UInt32(IN_ISDIR) == 0, !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
        try #require(word(4) & UInt32(IN_Q_OVERFLOW) == 0)
        place += 16 + length
      }
    }
    return names.sorted()
  }
}

/// Holds the lock of a file as another program with SQLite would (fcntl), until it is released.
final class FileLock {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    try #require(unsafe descriptor >= 0 && fcntl(descriptor, F_SETLK, &lock) == 0)
  }

  deinit {
    close(descriptor)
  }
}
