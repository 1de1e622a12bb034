/// Writes JSON as bytes, piece by piece, and sets the commas itself.
///
/// Strings come out as Foundation's `JSONEncoder` writes them without escaped slashes: `"` and `\` escaped, the five
/// short forms `\b \t \n \f \r`, other control characters as `\u00XX` in lower case, everything else as it is (DEL and
/// U+2028 too: RFC 8259, section 7). Numbers are the shortest digits that read back as the same `Double`, whole ones
/// without `.0`. Members stand in the order in which they are written.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  /// Whether the next key or element is not the first one at its place.
  private var needsComma = false

  public init() {}

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Begins a member; its value comes next.
  public mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func string(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  public mutating func integer(_ number: some FixedWidthInteger) { literal(String(number)) }

  /// Writes a number that must be finite: JSON has no word for NaN and infinity.
  public mutating func number(_ number: Double) {
    precondition(number.isFinite, "JSON cannot hold a number that is not finite")
    let text = number.description
    literal(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  public mutating func bool(_ flag: Bool) { literal(flag ? "true" : "false") }
  public mutating func null() { literal("null") }

  /// Writes bytes as a string in base64 (RFC 4648, section 4, padded).
  public mutating func base64(_ data: some Collection<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(data, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a value with all that is in it. Members whose number is not finite are left out: absent means unknown.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .integer(let number): integer(number)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        if case .number(let number) = member.value, !number.isFinite { continue }
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Ends a line of JSON Lines; the next value stands for itself.
  public mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x08: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "b")])
      case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
      case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
      case 0x0C: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "f")])
      case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  /// Writes a member unless it is unknown.
  public mutating func member(_ key: String, _ text: String?) {
    guard let text else { return }
    self.key(key)
    string(text)
  }

  /// Writes a member unless it is unknown.
  public mutating func member(_ key: String, _ number: (some FixedWidthInteger)?) {
    guard let number else { return }
    self.key(key)
    integer(number)
  }

  /// Writes a member unless it is unknown; a number that is not finite is unknown.
  public mutating func member(_ key: String, _ number: Double?) {
    guard let number, number.isFinite else { return }
    self.key(key)
    self.number(number)
  }

  /// Writes a member unless it is unknown.
  public mutating func member(_ key: String, _ flag: Bool?) {
    guard let flag else { return }
    self.key(key)
    bool(flag)
  }
}

extension JSONWriter {
  /// Writes the readable form of a path, and beside it, under a key that ends in `_b64`, the exact bytes where that form is
  /// not exact.
  public mutating func path(_ path: RelativePath, key name: String = "path") {
    member(name, path.display)
    guard !path.isExact else { return }
    key(name + "_b64")
    base64(path.bytes)
  }
}
