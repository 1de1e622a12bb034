/// Holds what a file says about the colours of its samples, as it stands in the file.
///
/// Precedence by the PNG standard (third edition, 4.3 and 11.3.2): `icc`, then the sRGB chunk, then gAMA with cHRM.
/// A part that makes no sense counts as absent, with a note. JPEG has `icc` alone. Nothing at all means sRGB.
struct SourceColour: Equatable, Sendable {
  /// The whole profile: JPEG segments joined, PNG iCCP inflated.
  var icc: [UInt8]?
  /// The exponent of the gAMA chunk, such as 0.45455: sample = light ^ gamma.
  var pngGamma: Double?
  /// The cHRM chunk: x and y of white, red, green and blue, in this order.
  var pngChromaticities: [Double]?
  var hasSRGBChunk: Bool

  init(
    icc: [UInt8]? = nil, pngGamma: Double? = nil, pngChromaticities: [Double]? = nil, hasSRGBChunk: Bool = false
  ) {
    self.icc = icc
    self.pngGamma = pngGamma
    self.pngChromaticities = pngChromaticities
    self.hasSRGBChunk = hasSRGBChunk
  }
}
