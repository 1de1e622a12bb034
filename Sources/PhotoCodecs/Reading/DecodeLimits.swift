/// Bounds what one picture may cost; held against its header before the memory is spent.
public struct DecodeLimits: Sendable, Hashable {
  /// Width times height.
  public var maxPixels: Int
  /// Bytes for what a decoder must keep whole: coefficients of a JPEG in several scans, pixels of an interlaced PNG.
  public var maxMemory: Int
  /// Scans of a JPEG.
  public var maxScans: Int

  public init(maxPixels: Int = 200_000_000, maxMemory: Int = 256 << 20, maxScans: Int = 100) {
    self.maxPixels = maxPixels
    self.maxMemory = maxMemory
    self.maxScans = maxScans
  }
}
