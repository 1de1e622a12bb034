public import IngestCore
public import IngestFiles
public import PhotoCodecs

/// Holds the stand-in of a photo: the payload of the loader's `degraded` event.
public struct PhotoPreview: Sendable {
  public let facts: AssetRow.Preview
  /// Upright sRGB pixels, where the loader keeps pixels.
  public let pixels: PixelBuffer?
}

/// Holds an original that was read once from its first byte to its last: the payload of the loader's `final` event.
public struct LoadedPhoto: Sendable {
  /// All facts of its manifest row but its thumbnails' files.
  public var row: AssetRow
  /// Ascending by size; none in a run, which writes them where they are made.
  public var thumbnails: [EncodedThumbnail]
  /// Upright sRGB pixels at the decode's scale, where the loader keeps pixels.
  public var pixels: PixelBuffer?
  /// Where a run's loader threads leave the thumbnails.
  var deposit: ThumbnailDeposit?
  /// The state of the file that was read; nil when it could not be opened.
  public var identity: FileIdentity?
  /// Where a photo of the same content was that is gone now: this one was renamed, and not decoded again.
  public var formerPath: RelativePath?
  /// Whether the file changed while it was read, so that a later read may succeed.
  public var isUnstable: Bool { row.error?.code == .unstable }
}
