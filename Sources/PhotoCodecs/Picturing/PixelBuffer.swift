/// Holds an upright picture in sRGB: 8 bits a sample, RGB interleaved, row by row, no gaps.
public struct PixelBuffer: Sendable, Hashable {
  /// In pixels, as shown (after the orientation).
  public let width: Int
  /// In pixels, as shown (after the orientation).
  public let height: Int
  /// `width * height * 3` samples.
  public let pixels: [UInt8]

  /// - Precondition: there are three samples a pixel.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 3, "a pixel buffer holds three samples a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
