/// Reads UTF-16 whose byte order is told by a mark, by the block it stands in, or by what makes sense.
enum UTF16Text {
  /// The text; nil when the bytes are no UTF-16 text in either byte order.
  static func read(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String? {
    var bytes = bytes
    if !bytes.count.isMultiple(of: 2) {
      // A NUL too many at the end is common; any other odd byte would be a lost letter.
      guard bytes.last == 0 else { return nil }
      bytes.removeLast()
    }
    switch Array(bytes.prefix(2)) {
    case [0xFF, 0xFE]: return text(units(bytes.dropFirst(2), isLittleEndian: true))
    case [0xFE, 0xFF]: return text(units(bytes.dropFirst(2), isLittleEndian: false))
    default: break
    }
    let stated = units(bytes, isLittleEndian: isLittleEndian)
    let swapped = stated.map(\.byteSwapped)
    // Text in Latin letters read in the wrong order becomes rare ideographs. The reverse happens for single signs only
    // (U+3000 is then a digit), so the other order must make sense of three quarters of the text.
    if ascii(swapped) > ascii(stated), ascii(swapped) * 4 >= swapped.count * 3, let text = text(swapped) { return text }
    return text(stated) ?? text(swapped)
  }

  private static func units(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> [UInt16] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let first = UInt16(bytes[index])
      let second = UInt16(bytes[index + 1])
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
  }

  private static func ascii(_ units: [UInt16]) -> Int {
    units.count { (0x20...0x7E).contains($0) }
  }

  private static func text(_ units: [UInt16]) -> String? {
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    let isText = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .unassigned: false
      case .control: [0x00, 0x09, 0x0A, 0x0D].contains(scalar.value)
      default: true
      }
    }
    return isText ? ExifText.tidy(text) : nil
  }
}
