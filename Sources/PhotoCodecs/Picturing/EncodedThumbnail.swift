/// Holds a finished thumbnail: an upright baseline JPEG in sRGB without metadata, or in gray for a gray picture.
public struct EncodedThumbnail: Sendable, Hashable {
  /// The longest side that was asked for; a picture that is smaller keeps its own size.
  public let size: Int
  /// In pixels, upright.
  public let width: Int
  /// In pixels, upright.
  public let height: Int
  /// The whole file.
  public let jpeg: [UInt8]

  public init(size: Int, width: Int, height: Int, jpeg: [UInt8]) {
    self.size = size
    self.width = width
    self.height = height
    self.jpeg = jpeg
  }
}
