/// Noise that is the same for the same place and seed, from the grain of a stone to the shape of a mountain.
enum Noise {
  /// An even number from 0 up to 1 for one cell of a grid.
  static func cell(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    var hash =
      UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
      ^ UInt32(truncatingIfNeeded: seed) &* 0xC2B2_AE3D
    hash ^= hash >> 15
    hash &*= 0x2C1B_3C6D
    hash ^= hash >> 12
    hash &*= 0x297A_2D39
    hash ^= hash >> 15
    return Double(hash) / 4_294_967_296
  }

  /// Smooth noise from -1 to 1, one bump a unit.
  static func smooth(_ x: Double, _ y: Double, _ seed: Int) -> Double {
    let column = floorInt(x)
    let row = floorInt(y)
    let u = ease(x - Double(column))
    let v = ease(y - Double(row))
    let top = cell(column, row, seed) * (1 - u) + cell(column + 1, row, seed) * u
    let bottom = cell(column, row + 1, seed) * (1 - u) + cell(column + 1, row + 1, seed) * u
    return (top * (1 - v) + bottom * v) * 2 - 1
  }

  /// A sum of octaves, each twice as fine and a little more than half as strong; about -1 to 1.
  static func fractal(_ x: Double, _ y: Double, _ octaves: Int, _ seed: Int, gain: Double = 0.52) -> Double {
    var sum = 0.0
    var weight = 1.0
    var total = 0.0
    var x = x
    var y = y
    for octave in 0..<octaves {
      sum += smooth(x, y, seed &+ octave &* 101) * weight
      total += weight
      weight *= gain
      // Turning each octave hides the grid.
      (x, y) = (x * 1.6 - y * 1.2 + 17.3, x * 1.2 + y * 1.6 + 5.7)
    }
    return sum / total
  }

  /// Sharp crests, as of mountains and torn rock; 0 to 1.
  static func ridged(_ x: Double, _ y: Double, _ octaves: Int, _ seed: Int) -> Double {
    var sum = 0.0
    var weight = 0.5
    var x = x
    var y = y
    for octave in 0..<octaves {
      let crest = 1 - abs(smooth(x, y, seed &+ octave &* 77))
      sum += crest * crest * weight
      weight *= 0.5
      (x, y) = (x * 1.7 - y * 1.1 + 3.1, x * 1.1 + y * 1.7 + 9.2)
    }
    return sum
  }

  private static func ease(_ t: Double) -> Double { t * t * t * (t * (t * 6 - 15) + 10) }
}
