/// Says how large a picture a caller wants to have in its hands; PhotoKit's `targetSize`.
public enum PhotoSize: Sendable, Hashable {
  /// At least this many pixels on the longest side, where the original has them.
  ///
  /// What comes is the smallest fast scale that is large enough: of a JPEG 1/8, 2/8, 4/8 or 8/8, of a PNG all pixels.
  case longSide(Int)
  /// Every pixel (PhotoKit's `PHImageManagerMaximumSize`).
  case maximum
}
