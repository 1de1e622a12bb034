public import IngestCore

/// Names one file that gets a row.
public struct Candidate: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A regular file, or a listed name that could not be looked at; opening it tells.
    case file
    /// A name that is never opened; the reason follows the name: "is a symbolic link, which is not followed".
    case link(String)
    /// An address of a list; nothing of it is on this machine.
    case remote
  }

  public let path: RelativePath
  /// The state when it was seen; nil for a link, where the file would not say, and where nobody asked.
  public let identity: FileIdentity?
  public let kind: Kind

  public init(path: RelativePath, identity: FileIdentity?, kind: Kind = .file) {
    self.path = path
    self.identity = identity
    self.kind = kind
  }
}

/// Names a kind of entry that gets no row; the raw values are the words of the summary.
public enum LeftOutKind: String, Sendable, CaseIterable {
  case hidden
  /// `._*` and `.AppleDouble`: the second fork of a file written by a Mac.
  case appleDouble = "apple-double"
  case dsStore = "ds-store"
  case thumbsDb = "thumbs-db"
  /// `@eaDir`: a NAS keeps its own thumbnails there.
  case eaDir = "ea-dir"
  case outputFolder = "output-folder"
  case linkToFolder = "link-to-folder"
  case link
  case fifo
  case socket
  case device
  /// A folder given in a list of files.
  case folder
  case notAPhoto = "not-a-photo"
  /// By the globs of the user; a folder counts once.
  case excluded
  /// A file without a photo's extension whose first bytes could not be read.
  case unreadable
}

/// Names a folder whose entries are not, or not all, known.
public struct UnreadFolder: Sendable, Hashable {
  /// Relative to the source folder; empty for the source folder.
  public let path: [UInt8]
  /// The words follow the folder's name: "cannot be opened: Permission denied".
  public let reason: String

  public init(path: [UInt8], reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Whether a photo lies in it or below.
  public func holds(_ photo: [UInt8]) -> Bool {
    path.isEmpty || photo.starts(with: path) && photo.count > path.count && photo[path.count] == UInt8(ascii: "/")
  }
}

/// Holds what a scan found.
public struct ScanResult: Sendable {
  /// In no particular order after `scan`, in the order of the list after `scanList`.
  public var candidates: [Candidate] = []
  /// How many entries got no row, by kind. Kinds that did not occur are absent.
  public var leftOut: [LeftOutKind: Int] = [:]
  /// Folders that could not be read, by path. Their photos are missing from `candidates`.
  public var messages: [FileError] = []
  /// The same folders by their paths below the source folder, which is empty itself, and why.
  public var unreadFolders: [UnreadFolder] = []
  /// Whether the scan was given up; the rest then says nothing about the folder.
  public var isCancelled = false

  public init() {}
}
