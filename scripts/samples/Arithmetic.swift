/// Sine, exponential and friends out of the four basic operations, which every processor rounds alike: the C library's
/// own differ in the last bit between machines, and then the samples would too.
enum Exactly {
  static let pi = 3.141592653589793

  /// The sine of an angle in radians, good to about 1e-12.
  static func sine(_ angle: Double) -> Double {
    let turn = 2 * pi
    var x = angle - (angle / turn + 0.5).rounded(.down) * turn
    if x > pi / 2 { x = pi - x } else if x < -pi / 2 { x = -pi - x }
    let square = x * x
    var term = x
    var sum = x
    for step in 1...8 {
      term = -term * square / Double(2 * step * (2 * step + 1))
      sum += term
    }
    return sum
  }

  /// The cosine of an angle in radians.
  static func cosine(_ angle: Double) -> Double { sine(angle + pi / 2) }

  /// e to the power of `x`, for `x` between -700 and 700.
  static func exponential(_ x: Double) -> Double {
    let small = x / 1024
    var result = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4)))
    for _ in 0..<10 { result *= result }
    return result
  }
}

func clamp(_ value: Double, _ low: Double = 0, _ high: Double = 1) -> Double { min(max(value, low), high) }

/// 0 below `low`, 1 above `high`, a soft S between them.
func smoothStep(_ low: Double, _ high: Double, _ value: Double) -> Double {
  let t = clamp((value - low) / (high - low))
  return t * t * (3 - 2 * t)
}

func floorInt(_ value: Double) -> Int { Int(value.rounded(.down)) }

func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
