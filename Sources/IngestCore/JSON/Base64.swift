/// Turns bytes into base64 and back (RFC 4648, section 4: `+` and `/`, padded with `=`).
public enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  public static func encode(_ data: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    encode(data, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  static func encode(_ data: some Collection<UInt8>, into output: inout [UInt8]) {
    var rest = data[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for position in 0..<4 {
        let digit = Int(bits >> (18 - 6 * UInt32(position)) & 63)
        output.append(position <= group.count ? alphabet[digit] : padding)
      }
    }
  }

  /// The bytes; nil unless `text` is exactly what `encode` would have written for them.
  public static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var digits = 0
    var paddings = 0
    for byte in text.utf8 {
      if byte == padding {
        paddings += 1
        bits <<= 6
      } else {
        guard paddings == 0, let digit = digit(byte) else { return nil }
        bits = bits << 6 | digit
      }
      digits += 1
      guard digits % 4 == 0 else { continue }
      guard paddings <= 2 else { return nil }
      let group = [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
      // Bits behind the last byte must be zero, or two texts would stand for the same bytes.
      guard group.suffix(paddings).allSatisfy({ $0 == 0 }) else { return nil }
      output.append(contentsOf: group.prefix(3 - paddings))
      bits = 0
    }
    return output
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
