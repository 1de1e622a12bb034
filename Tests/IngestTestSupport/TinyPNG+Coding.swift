/// The byte-level parts of a PNG: chunks, checksums and a zlib stream that does not compress.
extension TinyPNG {
  public static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A chunk with its length and checksum, which `breaksChecksum` makes wrong.
  public static func chunk(_ name: String, _ content: [UInt8], breaksChecksum: Bool = false) -> [UInt8] {
    let covered = Array(name.utf8) + content
    return number(content.count) + covered + number(Int(crc(covered)) ^ (breaksChecksum ? 1 : 0))
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      stream += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
      stream += block
    } while !rest.isEmpty
    return stream + number(Int(adler(bytes)))
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    var value = UInt32.max
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
    return ~value
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
