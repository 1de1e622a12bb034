/// Reads the name out of an ICC profile.
enum ColourProfile {
  /// The profile's description (ICC.1:2022 9.2.41, tag `desc`), of any version: an ASCII text description, or the
  /// English text of a multi-localised one, else its first. Nil when there is none, or it cannot be read.
  static func description(of icc: [UInt8]) -> String? {
    guard let tag = tag("desc", in: icc) else { return nil }
    let text: String?
    switch bytes(tag, 0, 4).map({ String(decoding: $0, as: UTF8.self) }) {
    case "desc": text = ascii(tag)
    case "mluc": text = localised(tag)
    case "text": text = clean(String(decoding: tag.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self))
    default: text = nil
    }
    return text
  }

  /// The bytes of a tag by the table behind the 128 bytes of the header.
  private static func tag(_ name: String, in icc: [UInt8]) -> ArraySlice<UInt8>? {
    let profile = icc[...]
    // No real profile has more than a few dozen tags; a count beyond the bytes ends the loop at their end.
    guard let count = number(profile, 128) else { return nil }
    for index in 0..<min(count, 1000) {
      let entry = 132 + index * 12
      guard let signature = bytes(profile, entry, 4), let offset = number(profile, entry + 4),
        let size = number(profile, entry + 8)
      else { return nil }
      if signature.elementsEqual(name.utf8) { return bytes(profile, offset, size) }
    }
    return nil
  }

  /// ICC.1:2001-04 6.5.17: a count of ASCII bytes, its NUL included, then the bytes.
  private static func ascii(_ tag: ArraySlice<UInt8>) -> String? {
    guard let count = number(tag, 8), let text = bytes(tag, 12, count) else { return nil }
    let words = text.prefix { $0 != 0 }
    // Some makers write Latin-1 here, against the standard.
    if let utf8 = String(validating: words, as: UTF8.self) { return clean(utf8) }
    return clean(String(String.UnicodeScalarView(words.map { Unicode.Scalar($0) })))
  }

  /// ICC.1:2022 10.15: records of language, country, length and offset, then UTF-16 texts, most significant byte first.
  private static func localised(_ tag: ArraySlice<UInt8>) -> String? {
    guard let count = number(tag, 8), let recordSize = number(tag, 12), recordSize >= 12 else { return nil }
    var best: (rank: Int, text: String)?
    for index in 0..<min(count, 1000) {
      guard let record = bytes(tag, 16 + index * recordSize, 12) else { break }
      guard let length = number(record, 4), let offset = number(record, 8),
        let utf16 = bytes(tag, offset, length & ~1), let text = clean(text(utf16))
      else { continue }
      let locale = String(decoding: record.prefix(4), as: UTF8.self)
      let rank = locale == "enUS" ? 0 : locale.hasPrefix("en") ? 1 : 2
      if rank < best?.rank ?? 3 { best = (rank, text) }
    }
    return best?.text
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    for index in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
      let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      if unit == 0 { break }
      units.append(unit)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Without control characters and edge blanks; nil when nothing is left.
  private static func clean(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    let blank: Unicode.Scalar = " "
    guard let first = kept.firstIndex(where: { $0 != blank }), let last = kept.lastIndex(where: { $0 != blank })
    else { return nil }
    return String(kept[first...last])
  }

  /// `count` bytes from `offset`; nil when they are not all there.
  private static func bytes(_ from: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    let (end, overflow) = offset.addingReportingOverflow(count)
    guard !overflow, offset >= 0, count >= 0, end <= from.count else { return nil }
    return from[(from.startIndex + offset)..<(from.startIndex + end)]
  }

  private static func number(_ from: ArraySlice<UInt8>, _ offset: Int) -> Int? {
    bytes(from, offset, 4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }
}
