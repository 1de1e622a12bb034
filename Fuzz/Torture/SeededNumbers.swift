/// Draws the same numbers for the same seed, on every machine (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter stream: mutant by mutant another sequence, so that each can be made again alone.
  init(seed: UInt64, stream: Int) {
    state = seed &+ UInt64(truncatingIfNeeded: stream) &* 0x9E37_79B9_7F4A_7C15
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

  /// A value that breaks things more often than any other does.
  mutating func byte() -> UInt8 {
    let favourites: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, 0xD8, 0xD9, 0xDA, 0xC0, 0xC2, 0xC4, 0xDB]
    return next() & 1 == 0 ? favourites[below(favourites.count)] : UInt8(truncatingIfNeeded: next())
  }
}
