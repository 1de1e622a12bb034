/// The zlib stream of some bytes (RFC 1950, RFC 1951): greedy matches, one dynamic code a block.
struct Deflate {
  private var out: [UInt8] = [0x78, 0x9C]
  private var accumulator: UInt64 = 0
  private var filled = 0

  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream = Deflate()
    let tokens = matches(bytes)
    let size = 60_000
    var from = 0
    repeat {
      let to = min(from + size, tokens.count)
      stream.block(tokens[from..<to], isLast: to == tokens.count)
      from = to
    } while from < tokens.count
    stream.put(0, 7)
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return Array(stream.out) + bigEndian(b << 16 | a)
  }

  /// A literal (distance 0) or a match of `value` bytes.
  private struct Token {
    let value: Int
    let distance: Int
  }

  private static func matches(_ bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var newest = [Int](repeating: -1, count: 1 << 15)
    var older = [Int](repeating: -1, count: bytes.count)
    func key(_ at: Int) -> Int { (Int(bytes[at]) << 10 ^ Int(bytes[at + 1]) << 5 ^ Int(bytes[at + 2])) & 0x7FFF }
    var at = 0
    while at < bytes.count {
      var best = Token(value: 0, distance: 0)
      if at + 3 <= bytes.count {
        var candidate = newest[key(at)]
        var tries = 32
        while candidate >= 0 && at - candidate <= 32768 && tries > 0 {
          var length = 0
          while length < 258 && at + length < bytes.count && bytes[candidate + length] == bytes[at + length] {
            length += 1
          }
          if length > best.value { best = Token(value: length, distance: at - candidate) }
          candidate = older[candidate]
          tries -= 1
        }
      }
      let advance = best.value >= 4 ? best.value : 1
      tokens.append(advance > 1 ? best : Token(value: Int(bytes[at]), distance: 0))
      for step in at..<(at + advance) where step + 3 <= bytes.count {
        older[step] = newest[key(step)]
        newest[key(step)] = step
      }
      at += advance
    }
    return tokens
  }

  private mutating func block(_ tokens: ArraySlice<Token>, isLast: Bool) {
    var literals = [Int](repeating: 0, count: 286)
    var distances = [Int](repeating: 0, count: 30)
    literals[256] = 1
    for token in tokens {
      if token.distance == 0 {
        literals[token.value] += 1
      } else {
        literals[257 + Self.slot(token.value, Self.lengthBases)] += 1
        distances[Self.slot(token.distance, Self.distanceBases)] += 1
      }
    }
    if distances.allSatisfy({ $0 == 0 }) { distances[0] = 1 }
    let literalLengths = Huffman.lengths(literals.map { $0 > 0 ? $0 : nil }, limit: 15)
    let distanceLengths = Huffman.lengths(distances.map { $0 > 0 ? $0 : nil }, limit: 15)
    put(isLast ? 1 : 0, 1)
    put(2, 2)
    header(literalLengths, distanceLengths)
    let literalCodes = Huffman.codes(literalLengths)
    let distanceCodes = Huffman.codes(distanceLengths)
    for token in tokens {
      if token.distance == 0 {
        code(literalCodes[token.value], literalLengths[token.value])
        continue
      }
      let length = Self.slot(token.value, Self.lengthBases)
      code(literalCodes[257 + length], literalLengths[257 + length])
      put(token.value - Self.lengthBases[length], Self.lengthExtra(length))
      let distance = Self.slot(token.distance, Self.distanceBases)
      code(distanceCodes[distance], distanceLengths[distance])
      put(token.distance - Self.distanceBases[distance], distance < 2 ? 0 : distance / 2 - 1)
    }
    code(literalCodes[256], literalLengths[256])
  }

  /// The lengths of both codes, each written plainly: a few bytes more than runs, and simpler.
  private mutating func header(_ literals: [Int], _ distances: [Int]) {
    let all = literals + distances
    var counts = [Int](repeating: 0, count: 19)
    for length in all { counts[length] += 1 }
    let lengths = Huffman.lengths(counts.map { $0 > 0 ? $0 : nil }, limit: 7)
    let codes = Huffman.codes(lengths)
    put(literals.count - 257, 5)
    put(distances.count - 1, 5)
    put(15, 4)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] { put(lengths[symbol], 3) }
    for length in all { code(codes[length], lengths[length]) }
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
  private static func lengthExtra(_ slot: Int) -> Int { slot < 8 || slot == 28 ? 0 : slot / 4 - 1 }

  private static func slot(_ value: Int, _ bases: [Int]) -> Int {
    var slot = bases.count - 1
    while bases[slot] > value { slot -= 1 }
    return slot
  }

  /// Codes travel with their first bit first, everything else with its lowest.
  private mutating func code(_ value: Int, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) { put(value >> bit & 1, 1) }
  }

  private mutating func put(_ value: Int, _ count: Int) {
    accumulator |= UInt64(value) << UInt64(filled)
    filled += count
    while filled >= 8 {
      out.append(UInt8(truncatingIfNeeded: accumulator))
      accumulator >>= 8
      filled -= 8
    }
  }
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}
