internal import Glibc

/// Says why a file named on the command line cannot be opened or read.
public struct StreamError: Error, Sendable, CustomStringConvertible {
  /// The exact bytes of the name; empty for standard input.
  public let path: [UInt8]
  /// What did not work: "cannot be opened".
  public let operation: String
  public let errno: Int32

  public init(path: [UInt8], operation: String, errno: Int32) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }

  /// `names.txt: cannot be opened: No such file or directory`
  public var description: String {
    let subject = path.isEmpty ? "standard input" : String(decoding: path, as: UTF8.self)
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return "\(subject): \(operation): \(reason)"
  }
}
