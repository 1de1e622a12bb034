public import HostProcess

/// Takes bytes for a person or a program: a standard stream, a log file, a buffer of a test.
public protocol ByteOutput: Sendable {
  /// Writes all bytes; false when the reader is gone, which is no error of the run. From any thread.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool
  var isTerminal: Bool { get }
  /// In columns, asked anew for every frame; nil when there is no terminal or it does not say.
  var terminalWidth: Int? { get }
  /// Why bytes were lost, such as a full disk; nil while all went out, and when the reader left by its own will.
  var fault: StreamError? { get }
}

extension OutputStream: ByteOutput {}

extension ByteOutput {
  public var fault: StreamError? { nil }

  func write(_ text: String) {
    write(Array(text.utf8))
  }
}
