/// Holds one way from samples to sRGB.
enum Conversion {
  /// The samples are sRGB, or near enough that none would change by more than 1.
  case nothing
  /// One gray for another.
  case grays([UInt8])
  /// A colour for each of the 256 grays: a profile whose grays are not neutral.
  case tints([UInt8])
  /// Inks without a profile, by the plain formula.
  case inks
  case profile(ColourTransform)

  /// The cheapest way that gives what the transform gives.
  init(_ transform: ColourTransform, _ layout: RowLayout) {
    switch layout {
    case .cmyk:
      self = .profile(transform)
    case .rgb:
      let probe = Conversion.probe
      self = Conversion.areClose(transform.apply(to: probe), probe) ? .nothing : .profile(transform)
    case .gray:
      let tints = transform.apply(to: Array(0...255))
      let greens = stride(from: 1, to: tints.count, by: 3).map { tints[$0] }
      let isNeutral = greens.indices.allSatisfy {
        Conversion.areClose([tints[$0 * 3], tints[$0 * 3 + 2]], [greens[$0], greens[$0]])
      }
      if !isNeutral {
        self = .tints(tints)
      } else {
        self = Conversion.areClose(greens, Array(0...255)) ? .nothing : .grays(greens)
      }
    }
  }

  func apply(to raster: Raster) -> Raster {
    var result = raster
    switch self {
    case .nothing:
      return raster
    case .grays(let table):
      result.bytes = raster.bytes.map { table[Int($0)] }
      return result
    case .tints(let table):
      result.bytes = raster.bytes.flatMap { table[(Int($0) * 3)..<(Int($0) * 3 + 3)] }
    case .inks:
      result.bytes = Conversion.light(of: raster.bytes)
    case .profile(let transform):
      result.bytes = transform.apply(to: raster.bytes)
    }
    result.samplesPerPixel = 3
    return result
  }

  /// What inks leave of white light: (255 - ink) (255 - black) / 255, rounded.
  private static func light(of inks: [UInt8]) -> [UInt8] {
    var light: [UInt8] = []
    light.reserveCapacity(inks.count / 4 * 3)
    for pixel in stride(from: 0, through: inks.count - 4, by: 4) {
      let black = Int(255 - inks[pixel + 3])
      for ink in 0..<3 { light.append(UInt8((Int(255 - inks[pixel + ink]) * black + 127) / 255)) }
    }
    return light
  }

  /// Colours all over the cube, and every gray: a conversion that leaves these alone leaves all alone.
  private static let probe: [UInt8] = {
    var colours = (0...255).flatMap { gray in repeatElement(UInt8(gray), count: 3) }
    let steps = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    for red in steps {
      for green in steps {
        for blue in steps { colours += [red, green, blue] }
      }
    }
    return colours
  }()

  private static func areClose(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }
}
