internal import CSQLite

/// Says what SQLite refused, with its own number and words.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is to be done about it.
  public enum Kind: Sendable, Hashable {
    /// The disk is full.
    case full
    /// Another program holds the file.
    case busy
    /// What the file holds cannot be used: damaged, of another program, of another version.
    case unusable
    /// The file cannot be opened, read or written.
    case unreachable
  }

  public let kind: Kind
  /// SQLite's extended result code; 0 where this program found the fault.
  public let code: Int32
  /// What did not work and why: "the file is not a database".
  public let message: String

  public init(_ kind: Kind, code: Int32 = 0, _ message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  /// Takes over a result code of SQLite (https://www.sqlite.org/rescode.html).
  init(code: Int32, message: String) {
    let kind: Kind =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM: .unreachable
      default: .unusable
      }
    self.init(kind, code: code, message)
  }

  public var description: String { message }
}
