/// Holds everything that one read of a photo told, whole or not.
public struct DecodedPhoto: Sendable {
  /// Says whether the picture is all there.
  public enum Verdict: Sendable, Hashable {
    /// Every code was read and no data is lost.
    case whole
    /// Data is lost; what could be read is there.
    case damaged(CodecError)
    /// There is no picture.
    case failed(CodecError)
  }

  /// By content; nil when the first bytes are those of no known image.
  public var format: PhotoFormat?
  public var verdict: Verdict
  public var header: PictureHeader?
  public var metadata: PhotoMetadata?
  /// 1 through 8; nil when the file has none.
  public var orientation: Int?
  public var orientationSource: OrientationSource?
  /// The description inside the ICC profile.
  public var profileName: String?
  /// Stable words of the manifest's `notes`.
  public var notes: Set<String> = []
  /// Complaints of the codec's library.
  public var warnings = 0
  /// Bytes behind the end of the picture.
  public var trailingBytes: UInt64 = 0
  /// Whether every pixel was made, and not a smaller picture from all codes.
  public var isFullScale = false
  /// Ascending by size; of a damaged photo they show what could be read.
  public var thumbnails: [EncodedThumbnail] = []
  public var pixels: PixelBuffer?
  /// The thumbnails before they became JPEG, ascending by size, where the request asks for them.
  package var thumbnailPixels: [PixelBuffer] = []

  public init(format: PhotoFormat?, verdict: Verdict) {
    self.format = format
    self.verdict = verdict
  }
}

/// Names the block that an orientation was found in (the manifest's `orientation_source`).
public enum OrientationSource: String, Sendable {
  case exif
  case pngExif = "png-exif"
  case pngText = "png-text"
}

/// Holds the degraded picture that comes before the original.
public struct StandInPicture: Sendable, Hashable {
  public enum Source: String, Sendable {
    /// The JPEG inside the Exif block.
    case embedded
    /// The first scan of a progressive JPEG.
    case scan
    /// A small decode of the picture itself.
    case scaled
  }

  public var source: Source
  /// Upright.
  public var width: Int
  /// Upright.
  public var height: Int
  /// Upright sRGB pixels, where the request keeps pixels.
  public var pixels: PixelBuffer?

  public init(source: Source, width: Int, height: Int, pixels: PixelBuffer?) {
    self.source = source
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
