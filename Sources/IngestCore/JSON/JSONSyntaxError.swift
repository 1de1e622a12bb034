/// Tells where a place in a text is, for people: both numbers start at 1, columns count characters.
public struct JSONPosition: Sendable, Hashable {
  public let line: Int
  public let column: Int

  /// Finds a byte's place. A line ends at LF; a column is a Unicode scalar, as most editors count.
  public init(ofByte offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(max(offset, 0)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

/// Says why bytes are not the JSON that was asked for, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  public let line: Int
  public let column: Int
  /// One sentence without a full stop: "a string is not closed".
  public let message: String

  init(_ message: String, at offset: Int, in bytes: [UInt8]) {
    let position = JSONPosition(ofByte: offset, in: bytes)
    self.line = position.line
    self.column = position.column
    self.message = message
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
