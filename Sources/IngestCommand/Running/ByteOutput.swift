import HostProcess

/// Takes bytes for a person or a program: a standard stream, a log file, a buffer of a test.
public protocol ByteOutput: Sendable {
  /// Writes all bytes; false when the reader is gone, which is no error of the run. From any thread.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool
  /// Says that bytes were lost, and why; nil while all went out, and when the reader left.
  var loss: String? { get }
  var isTerminal: Bool { get }
  /// In columns, asked anew for every frame; nil when there is no terminal or it does not say.
  var terminalWidth: Int? { get }
}

extension OutputStream: ByteOutput {}

extension ByteOutput {
  func write(_ text: String) {
    write(Array(text.utf8))
  }
}
