internal import IngestCore

/// Reads a UserComment, whose first eight bytes should name its character code (Exif 3.0, section 4.6.6).
enum ExifComment: Sendable, Hashable {
  case text(String)
  /// The whole value in base64: it is no text, or in a code that this program does not read.
  case undecoded(base64: String)

  /// Reads a value; nil when it is absent or blank.
  ///
  /// Programs write the code in another case, forget it, or write UTF-16 in the other byte order, so the code is a
  /// hint and the bytes decide.
  static func read(_ value: ExifValue?) -> ExifComment? {
    guard let bytes = value?.textBytes else { return nil }
    let code = bytes.prefix(8).map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    let text: String?
    if code == [0, 0, 0, 0, 0, 0, 0, 0] || code == Array("ASCII\0\0\0".utf8) {
      guard let body = nonBlank(bytes.dropFirst(8)) else { return nil }
      text = singleByteText(body)
    } else if code == Array("UNICODE\0".utf8) {
      guard nonBlank(bytes.dropFirst(8)) != nil else { return nil }
      text =
        UTF16Text.read(bytes.dropFirst(8), isLittleEndian: value?.isLittleEndian ?? true)
        ?? singleByteText(ExifText.trimmingEnd(bytes.dropFirst(8)))
    } else if code == Array("JIS\0\0\0\0\0".utf8) {
      guard nonBlank(bytes.dropFirst(8)) != nil else { return nil }
      text = nil
    } else {
      guard let body = nonBlank(bytes[...]) else { return nil }
      text = singleByteText(body)
    }
    return text.map { .text($0) } ?? .undecoded(base64: Base64.encode(bytes))
  }

  private static func nonBlank(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let trimmed = ExifText.trimmingEnd(bytes)
    return trimmed.isEmpty ? nil : trimmed
  }

  private static func singleByteText(_ bytes: ArraySlice<UInt8>) -> String? {
    ExifText.isText(bytes) ? ExifText.tidy(ExifText.decode(bytes)) : nil
  }
}
