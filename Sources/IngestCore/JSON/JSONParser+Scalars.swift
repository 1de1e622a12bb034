extension JSONParser {
  /// Reads the string whose opening quote is next.
  mutating func string() throws(JSONSyntaxError) -> String {
    let start = offset
    offset += 1
    var decoded: [UInt8] = []
    var runStart = offset
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let run = bytes[runStart..<offset]
        offset += 1
        let text = String(validating: decoded.isEmpty ? run : decoded + run, as: UTF8.self)
        guard let text else {
          throw failure("a string holds bytes that are not UTF-8", at: start)
        }
        return text
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: bytes[runStart..<offset])
        decoded.append(contentsOf: try escape())
        runStart = offset
      case 0..<0x20:
        throw failure("a control character in a string must be escaped")
      default:
        offset += 1
      }
    }
    throw failure("a string is not closed", at: start)
  }

  /// Reads the escape whose backslash is next and gives its UTF-8 bytes.
  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    let start = offset
    offset += 1
    guard let letter = next else { throw failure("a string is not closed") }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try escapedScalar(start)).utf8)
    default: throw failure("this escape is not one of JSON's", at: start)
    }
  }

  /// Reads what follows `\u`: four digits, or a surrogate pair of two escapes (RFC 8259, section 7).
  private mutating func escapedScalar(_ start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("this escape is half of a surrogate pair", at: start)
    }
    let second = try hexUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw failure("this escape is half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func hexUnit() throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(hexDigit) else { throw failure("\\u needs four hexadecimal digits") }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }

  private func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Reads the number that is next (RFC 8259, section 6).
  mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = offset
    _ = take(UInt8(ascii: "-"))
    let whole = offset
    guard skipDigits() > 0 else { throw failure("a digit is expected here") }
    if bytes[whole] == UInt8(ascii: "0"), offset - whole > 1 {
      throw failure("a number must not begin with a zero", at: start)
    }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      guard skipDigits() > 0 else { throw failure("a digit is expected after the point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      guard skipDigits() > 0 else { throw failure("a digit is expected in the exponent") }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    // "-0" is a Double: an integer would lose its sign.
    if isWhole, text != "-0", let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .number(number)
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }
}
