internal import Glibc

/// Reads the entries of an open folder.
enum FolderEntries {
  /// What the folder itself says of an entry, without asking the file.
  enum Kind {
    case folder, regular, link, other
    /// The file system does not say: ask the file.
    case unknown
  }

  /// Calls `body` with the name and kind of each entry, `.` and `..` left out, in the folder's own order.
  ///
  /// `body` returns false to stop. An error in the middle is thrown after the entries before it.
  static func forEach(in folder: Descriptor, _ body: ([UInt8], Kind) -> Bool) throws(SystemError) {
    // The stream closes its descriptor, so it gets one of its own. The two share their place: start at the first entry.
    let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError.last }
    guard let stream = unsafe fdopendir(copy) else {
      let error = SystemError.last
      close(copy)
      throw error
    }
    defer { unsafe closedir(stream) }
    unsafe rewinddir(stream)
    while true {
      // Only errno tells the end from an error.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw SystemError.last }
        return
      }
      let name = unsafe nameBytes(entry)
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      guard body(name, kind(ofType: unsafe Int(entry.pointee.d_type))) else { return }
    }
  }

  /// All names of a folder, in its own order.
  static func names(in folder: Descriptor) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try forEach(in: folder) { name, _ in
      names.append(name)
      return true
    }
    return names
  }

  /// The name behind the fixed part. It ends at its NUL: some file systems have names longer than 255 bytes.
  private static func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = unsafe UnsafeRawPointer(entry) + offset
    let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  private static func kind(ofType type: Int) -> Kind {
    switch type {
    case Int(DT_DIR): .folder
    case Int(DT_REG): .regular
    case Int(DT_LNK): .link
    case Int(DT_UNKNOWN): .unknown
    default: .other
    }
  }
}
