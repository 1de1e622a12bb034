/// Holds what a manifest says of one file: where it is, how long, with which checksum. Nothing of it is trusted.
public struct ListedFile: Sendable, Hashable {
  public let path: RelativePath
  public let bytes: UInt64?
  public let sha256: String?

  public init(path: RelativePath, bytes: UInt64?, sha256: String?) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Nil without a path that can be read.
  init?(_ value: JSONValue) {
    guard let path = ManifestRow.exactPath(of: value) else { return nil }
    self.path = path
    bytes = value["bytes"]?.integerValue.flatMap { UInt64(exactly: $0) }
    sha256 = value["sha256"]?.stringValue.flatMap { ManifestRow.isChecksum($0) ? $0 : nil }
  }
}

extension ManifestRow {
  /// The source itself.
  public var source: ListedFile { ListedFile(path: path, bytes: bytes, sha256: sha256) }

  /// The thumbnails, with paths relative to the output folder.
  public var thumbnails: [ListedFile] { files("thumbnails") }

  /// The files that stand beside the photo, with paths relative to the source folder.
  public var sideFiles: [ListedFile] { files("side_files") }

  /// How the original lies below the output folder; nil when the row lists none.
  public var original: AssetRow.OriginalKind? {
    guard value["original"] != nil else { return nil }
    return value["original_kind"]?.stringValue == AssetRow.OriginalKind.symlink.rawValue ? .symlink : .copy
  }

  /// Whether `original` names this row's own place and no other.
  public var isOriginalItsOwn: Bool {
    value["original"]?.stringValue.map { $0.utf8.elementsEqual(path.original.display.utf8) } ?? true
  }

  /// The source, then its side files: all that `originals/` and a bag hold of this row. Empty without a checksum.
  public var content: [ListedFile] {
    guard sha256 != nil, !path.isAddress else { return [] }
    return [source] + sideFiles.filter { $0.sha256 != nil }
  }

  private func files(_ key: String) -> [ListedFile] {
    (value[key]?.arrayValue ?? []).compactMap { ListedFile($0) }
  }
}
