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
  /// Whether the upright sRGB pixels, at the decode's scale, are kept for the caller.
  public var keepsPixels: Bool
  public var limits: DecodeLimits

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

  /// The long side that the decoded picture must have at least; nil for all pixels.
  ///
  /// One and a half times the largest thumbnail leaves the resize kernel enough to be as good as from all pixels.
  var minimumLongSide: Int? {
    switch scale {
    case .full: nil
    case .scaled: (thumbnailSizes.max() ?? 0) * 3 / 2
    }
  }
}
