/// Makes the same bytes for the same seed on every machine (SplitMix64).
public struct SeededBytes {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public static func bytes(seed: UInt64, count: Int) -> [UInt8] {
    var random = SeededBytes(seed: seed)
    return random.next(count: count)
  }

  public mutating func next(count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
  }
}
