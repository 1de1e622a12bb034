public import IngestCore

/// Holds what the catalogue knows of one photo, all but its row.
public struct KnownPhoto: Sendable, Hashable {
  /// Names a row in the catalogue.
  public struct LineID: Sendable, Hashable {
    let number: Int64
  }

  /// Names a set of options in the catalogue: rows made with the same options have the same one.
  public struct OptionsID: Sendable, Hashable {
    let number: Int64
  }

  /// Exact bytes, relative to the source folder.
  public var path: [UInt8]
  public var line: LineID
  public var status: AssetRow.Status
  /// Why it is not verified.
  public var error: FailureCode?
  public var options: OptionsID
  /// Nil when the file would not say what it is.
  public var stamp: FileStamp?
  /// How many thumbnails the row lists.
  public var thumbnails: Int
  /// Their lengths in all.
  public var thumbnailBytes: Int
  /// The first sixteen digits of the name that its thumbnails share; nil without any.
  public var thumbnailKey: UInt64?
  /// The local capture time, which `--order captured` sorts by.
  public var captured: String?
  /// Tells one state of the files beside the photo that went along with it from another; nil without any.
  public var beside: String?
}

/// Holds a photo that is to be remembered.
public struct FreshPhoto: Sendable {
  public var path: [UInt8]
  public var status: AssetRow.Status
  public var error: FailureCode?
  /// Everything about the run that the row depends on.
  public var options: String
  public var stamp: FileStamp?
  public var thumbnails: Int
  public var thumbnailBytes: Int
  public var thumbnailKey: UInt64?
  public var captured: String?
  public var beside: String?
  public var line: StoredLine

  public init(
    path: [UInt8], status: AssetRow.Status, error: FailureCode?, options: String, stamp: FileStamp?, thumbnails: Int,
    thumbnailBytes: Int = 0, thumbnailKey: UInt64?, captured: String?, beside: String? = nil, line: StoredLine
  ) {
    self.path = path
    self.status = status
    self.error = error
    self.options = options
    self.stamp = stamp
    self.thumbnails = thumbnails
    self.thumbnailBytes = thumbnailBytes
    self.thumbnailKey = thumbnailKey
    self.captured = captured
    self.beside = beside
    self.line = line
  }
}

/// Holds a manifest row without its index, and where that belongs (see `ManifestEncoder.EncodedRow`).
public struct StoredLine: Sendable, Hashable {
  public var bytes: [UInt8]
  public var indexOffset: Int

  public init(bytes: [UInt8], indexOffset: Int) {
    self.bytes = bytes
    self.indexOffset = indexOffset
  }

  /// The row's line in a manifest, with its LF.
  public func line(index: Int) -> [UInt8] {
    ManifestEncoder.line(spooled: bytes[...], indexOffset: indexOffset, index: index)
  }
}
