/// Says why bytes are not a manifest that can be trusted, and in which line.
public struct ManifestFault: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// There is nothing to read.
    case empty
    /// The first line is not the header of a photo-ingest manifest.
    case foreign
    /// A manifest of a version that this program does not know.
    case unknownVersion(Int64)
    /// The end record is missing or not whole: writing it was interrupted, or the file was cut off.
    case cutOff
    /// A line is no JSON.
    case syntax(String)
    /// A record lacks something that version 1 promises; the words say what.
    case badRecord(String)
    /// A row's index is not the number of rows before it.
    case wrongIndex(expected: Int)
    /// The end record counts other rows than there are.
    case wrongTotals
    /// Something follows the end record.
    case afterEnd
    /// A line is longer than any row can be.
    case lineTooLong
  }

  /// Counted from 1.
  public let line: Int
  public let kind: Kind

  public init(line: Int, kind: Kind) {
    self.line = line
    self.kind = kind
  }

  /// One sentence with the line, without the file's name.
  public var description: String {
    switch kind {
    case .empty: "it is empty"
    case .foreign: "it is no photo-ingest manifest: the first line is not its header"
    case .unknownVersion(let version): "its version is \(version), and this program knows version 1"
    case .cutOff: "it is cut off: the end record is missing after line \(line)"
    case .syntax(let words): "line \(line) is no JSON: \(words)"
    case .badRecord(let words): "line \(line): \(words)"
    case .wrongIndex(let expected): "line \(line): the row's index should be \(expected)"
    case .wrongTotals: "line \(line): the end record counts other rows than there are"
    case .afterEnd: "line \(line): something follows the end record"
    case .lineTooLong: "line \(line) is longer than a row can be"
    }
  }
}
