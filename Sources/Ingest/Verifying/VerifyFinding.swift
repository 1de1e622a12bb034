public import IngestCore

/// Says of one file of a finished output, or of one source, what does not agree with the manifest.
public struct VerifyFinding: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// It holds something else, or is something else, than the manifest says.
    case changed
    /// The manifest lists it and it is not there.
    case missing
    /// It is there and no manifest lists it.
    case unlisted
    /// A manifest does not agree with itself.
    case damaged
    /// The system would not let it be read.
    case unreadable
  }

  /// What the file is to the output.
  public enum Part: String, Sendable, CaseIterable {
    case source
    case thumbnail
    case original
    case sideFile = "side-file"
    case manifest
    case bag
  }

  public var kind: Kind
  public var part: Part
  /// Below the source folder for a source or a side file there, else below the output folder.
  public var path: RelativePath
  /// The row that lists it.
  public var index: Int?
  /// What is wrong, in words that follow the name.
  public var message: String

  public init(_ kind: Kind, _ part: Part, _ path: RelativePath, index: Int? = nil, _ message: String) {
    self.kind = kind
    self.part = part
    self.path = path
    self.index = index
    self.message = message
  }
}
