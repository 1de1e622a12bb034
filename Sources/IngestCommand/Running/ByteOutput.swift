import HostProcess

/// Takes bytes for a person or a program: a standard stream, a log file, a buffer of a test.
public protocol ByteOutput: Sendable {
  /// Writes all bytes; false when they did not all go out. That the reader is gone is no error of the run. From any
  /// thread.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool
  var isTerminal: Bool { get }
  /// In columns, asked anew for every frame; nil when there is no terminal or it does not say.
  var terminalWidth: Int? { get }
  /// The system's words when bytes were lost though their reader was still there (a full disk); else nil.
  var lossReason: String? { get }
  /// Whether the bytes go to the journal of systemd, where a line begins with its priority.
  var isJournal: Bool { get }
}

extension OutputStream: ByteOutput {}

extension ByteOutput {
  public var isJournal: Bool { false }

  func write(_ text: String) {
    write(Array(text.utf8))
  }
}
