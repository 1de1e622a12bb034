internal import Glibc
public import IngestCore

/// Says which file or folder refused what, and the system's reason.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exact bytes of the name: relative to the folder that was given, or that folder's own path.
  public let path: [UInt8]
  /// What did not work, in words that follow the name: "cannot be opened".
  public let operation: String
  /// The system's number; 0 when the operation says it all.
  public let errno: Int32

  public init(path: [UInt8], operation: String, errno: Int32) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }

  /// The readable form of the name: bytes that are not UTF-8 are shown as U+FFFD, control characters as they are.
  public var displayPath: String { String(decoding: path, as: UTF8.self) }

  /// What happened and why, without the name: "cannot be opened: Permission denied".
  public var reason: String {
    guard errno != 0 else { return operation }
    // The C library's words are English, since nothing here calls setlocale.
    let words = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return "\(operation): \(words)"
  }

  /// `holiday/x.jpg: cannot be opened: Permission denied`
  public var description: String { "\(displayPath): \(reason)" }

  /// The same, for somebody to whom the folder that the name is relative to has this name.
  public func below(_ folder: [UInt8]) -> FileError {
    if path.first == UInt8(ascii: "/") { return self }
    return FileError(path: folder + [UInt8(ascii: "/")] + path, operation: operation, errno: errno)
  }

  /// Whether the name led nowhere.
  public var isVanished: Bool { errno == ENOENT || errno == ENOTDIR }

  /// Whether something stands there that is no folder.
  public var isNoFolder: Bool { errno == ENOTDIR }

  /// Whether a folder stands where a file should go.
  public var isFolderInPlace: Bool { errno == EISDIR }

  /// Whether the disk, or the user's share of it, is full.
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

  /// The same as the failure of a photo: `vanished` or `unreadable`.
  public var loadFailure: LoadFailure { LoadFailure(isVanished ? .vanished : .unreadable, reason) }
}
