internal import CSQLite
internal import Glibc

/// Says what SQLite refused, with its own number and words.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is to be done about it.
  public enum Kind: Sendable, Hashable {
    /// The disk takes nothing more: it is full, or writing fails. Another file would fare no better.
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
  /// The system's number of a call that failed; 0 where there was none.
  public let systemError: Int32
  /// What did not work and why: "the file is not a database".
  public let message: String

  public init(_ kind: Kind, code: Int32 = 0, systemError: Int32 = 0, _ message: String) {
    self.kind = kind
    self.code = code
    self.systemError = systemError
    self.message = message
  }

  /// Takes over a result code of SQLite (https://www.sqlite.org/rescode.html).
  init(code: Int32, systemError: Int32, message: String) {
    let kind: Kind =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      // IOERR_WRITE, IOERR_FSYNC, IOERR_DIR_FSYNC, IOERR_TRUNCATE: a quota, a limit on the size of files, a bad disk.
      case SQLITE_IOERR where [3, 4, 5, 6].contains(code >> 8): .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM: .unreachable
      default: .unusable
      }
    let number: Int32 =
      switch code & 0xFF {
      // SQLite keeps no number when a write found the disk full.
      case SQLITE_FULL: ENOSPC
      case SQLITE_IOERR where kind == .full: [ENOSPC, EDQUOT, EFBIG].contains(systemError) ? systemError : EIO
      case SQLITE_IOERR, SQLITE_CANTOPEN: systemError
      // Of other errors the connection only remembers the number of an earlier one.
      default: 0
      }
    self.init(kind, code: code, systemError: number, message)
  }

  public var description: String { message }
}
