internal import Glibc

/// Carries the number of a failed system call up to where the name is known.
struct SystemError: Error {
  let errno: Int32

  /// The error of the call that has just failed on this thread.
  static var last: SystemError { SystemError(errno: Glibc.errno) }

  func about(_ path: [UInt8], _ operation: String) -> FileError {
    FileError(path: path, operation: operation, errno: errno)
  }
}
