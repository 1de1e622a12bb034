/// Holds the sides of a picture in pixels.
struct PixelSize: Equatable, Sendable {
  var width: Int
  var height: Int

  var longestSide: Int { max(width, height) }

  /// The sides of a thumbnail: the longest is `size`, the other is rounded and at least 1; never larger than the
  /// picture itself. The sides are treated alike, so turning before or after gives the same.
  func fitted(to size: Int) -> PixelSize {
    let long = longestSide
    guard size < long else { return self }
    return PixelSize(
      width: PixelSize.scaled(width, by: size, over: long), height: PixelSize.scaled(height, by: size, over: long))
  }

  /// `side * size / long` rounded half up, at least 1. The product is taken in full width: a header may say anything.
  private static func scaled(_ side: Int, by size: Int, over long: Int) -> Int {
    let product = UInt(side).multipliedFullWidth(by: UInt(size))
    let (quotient, remainder) = UInt(long).dividingFullWidth(product)
    let isRoundedUp = remainder >= UInt(long) - remainder
    return max(1, Int(quotient) + (isRoundedUp ? 1 : 0))
  }

  /// How much of these rows a picture of `original` size really covers, in pixels of the rows.
  ///
  /// A JPEG decoded at N/8 has ceil(side * N / 8) pixels a side: its last pixel reaches beyond the picture, and a
  /// resize that took it for a whole one would shift the picture by up to one pixel.
  func span(of original: PixelSize) -> (x: Double, y: Double) {
    for eighths in 1..<8 {
      let x = Double(original.width) * Double(eighths) / 8
      let y = Double(original.height) * Double(eighths) / 8
      if x.rounded(.up) == Double(width) && y.rounded(.up) == Double(height) { return (x, y) }
    }
    return (Double(width), Double(height))
  }
}
