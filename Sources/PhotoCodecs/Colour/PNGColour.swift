/// Holds what the gAMA and cHRM chunks of a PNG say, once it has been found to make sense.
struct PNGColour: Equatable {
  /// sample = light ^ gamma.
  var gamma: Double
  /// White, red, green, blue.
  var chromaticities: [(x: Double, y: Double)]

  static let sRGBChromaticities: [(x: Double, y: Double)] = [
    (0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06),
  ]

  /// Nil when there is no gAMA or it makes no sense; cHRM alone says nothing that could be used, since the curve is
  /// missing. `isDoubtful` when a value was left out.
  static func read(gamma: Double?, chromaticities: [Double]?) -> (colour: PNGColour?, isDoubtful: Bool) {
    guard let gamma else { return (nil, false) }
    // The range is libpng's (PNG_LIB_GAMMA_MIN, PNG_LIB_GAMMA_MAX).
    guard gamma.isFinite, gamma >= 0.01, gamma <= 100 else { return (nil, true) }
    guard let chromaticities else { return (PNGColour(gamma: gamma, chromaticities: sRGBChromaticities), false) }
    guard let points = points(chromaticities) else {
      return (PNGColour(gamma: gamma, chromaticities: sRGBChromaticities), true)
    }
    return (PNGColour(gamma: gamma, chromaticities: points), false)
  }

  /// Whether it says "sRGB" as far as these two chunks can (PNG third edition, 11.3.2.5: 45455 and the usual cHRM).
  var isSRGB: Bool {
    guard abs(gamma - 0.45455) < 0.0015 else { return false }
    return zip(chromaticities, PNGColour.sRGBChromaticities).allSatisfy { mine, theirs in
      abs(mine.x - theirs.x) < 0.002 && abs(mine.y - theirs.y) < 0.002
    }
  }

  static func == (one: PNGColour, other: PNGColour) -> Bool {
    one.gamma == other.gamma
      && one.chromaticities.elementsEqual(other.chromaticities) { $0.x == $1.x && $0.y == $1.y }
  }

  /// Four points of the diagram that span a triangle with white inside; nil else.
  private static func points(_ values: [Double]) -> [(x: Double, y: Double)]? {
    guard values.count == 8 else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map { (x: values[$0], y: values[$0 + 1]) }
    let areInDiagram = points.allSatisfy {
      $0.x.isFinite && $0.y.isFinite && $0.x >= 0 && $0.y >= 0 && $0.x + $0.y <= 1.0001
    }
    guard areInDiagram, points[0].y > 0.01 else { return nil }
    let area = twiceTheArea(points[1], points[2], points[3])
    guard abs(area) > 0.001 else { return nil }
    let shares = [
      twiceTheArea(points[0], points[2], points[3]), twiceTheArea(points[1], points[0], points[3]),
      twiceTheArea(points[1], points[2], points[0]),
    ]
    return shares.allSatisfy { $0 / area > 0.001 } ? points : nil
  }

  private static func twiceTheArea(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ c: (x: Double, y: Double)
  ) -> Double {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
  }
}
