/// Computes SHA-256 (FIPS 180-4) for the tests, so that stand-in pictures can be held against known ones.
enum MetadataDigest {
  static func hex(_ message: [UInt8]) -> String {
    var state: [UInt32] = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }
    let constants = primes.map { fraction(of: cubeRoot($0)) }
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { index in
        bytes[(start + 4 * index)..<(start + 4 * index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
        let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
        words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
      }
      var s = state
      for index in 0..<64 {
        let mix = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
        let one = s[7] &+ mix &+ (s[4] & s[5] ^ ~s[4] & s[6]) &+ constants[index] &+ words[index]
        let other = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)
        let two = other &+ (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2])
        s = [one &+ two, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
      }
      state = zip(state, s).map { $0 &+ $1 }
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  private static func turned(_ word: UInt32, _ places: UInt32) -> UInt32 {
    word >> places | word << (32 - places)
  }

  private static func fraction(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }

  private static func cubeRoot(_ number: Int) -> Double {
    var root = Double(number) / 3
    for _ in 0..<100 { root -= (root * root * root - Double(number)) / (3 * root * root) }
    return root
  }
}
