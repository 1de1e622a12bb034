/// Says what one decode shall deliver and what it may cost.
public struct DecodeRequest: Sendable, Hashable {
  /// Chooses how many pixels are made. Every choice reads every code of the file.
  public enum Scale: Sendable, Hashable {
    /// The smallest fast scale that leaves the largest thumbnail sharp.
    case scaled
    /// Every pixel.
    case full
  }

  /// Longest sides in pixels of the thumbnails; empty for none.
  public var thumbnailSizes: [Int]
  public var scale: Scale
  /// Whether a degraded stand-in is made when it costs next to nothing: from the embedded EXIF picture, or from the
  /// first scan of a progressive JPEG.
  public var wantsStandIn: Bool
  /// Whether the upright sRGB pixels, at the decode's scale, are kept for the caller: three bytes a pixel, and twice
  /// as much for a moment.
  public var keepsPixels: Bool
  /// How large the picture is that is kept; nil: as large as the thumbnails need it, or as `scale` says.
  public var pixelSize: PhotoSize?
  public var limits: DecodeLimits
  /// Whether the thumbnails' pixels are kept as well, before they become JPEG: for measuring how good they are.
  package var keepsThumbnailPixels = false

  public init(
    thumbnailSizes: [Int] = [], scale: Scale = .scaled, wantsStandIn: Bool = true, keepsPixels: Bool = false,
    limits: DecodeLimits = DecodeLimits()
  ) {
    self.thumbnailSizes = thumbnailSizes
    self.scale = scale
    self.wantsStandIn = wantsStandIn
    self.keepsPixels = keepsPixels
    self.limits = limits
  }

  /// Asks for the picture itself, upright and in sRGB.
  public init(
    pixels size: PhotoSize, thumbnailSizes: [Int] = [], wantsStandIn: Bool = true, limits: DecodeLimits = DecodeLimits()
  ) {
    self.init(thumbnailSizes: thumbnailSizes, wantsStandIn: wantsStandIn, keepsPixels: true, limits: limits)
    pixelSize = size
  }

  /// The long side that the decoded picture must have at least; nil for all pixels.
  ///
  /// One and a half times the largest thumbnail leaves the resize kernel enough to be as good as from all pixels.
  var minimumLongSide: Int? {
    // No picture is larger than this, so a larger wish says no more.
    let largest = min(max(0, thumbnailSizes.max() ?? 0), 1 << 31)
    let forThumbnails = (largest * 3 + 1) / 2
    switch (scale, pixelSize) {
    case (.full, _), (_, .maximum): return nil
    case (.scaled, .longSide(let side)): return max(forThumbnails, side)
    case (.scaled, nil): return forThumbnails
    }
  }
}
