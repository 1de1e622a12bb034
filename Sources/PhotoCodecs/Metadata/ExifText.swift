/// Makes readable text of the bytes of an Exif value: valid UTF-8, no control characters, no blanks at the end.
enum ExifText {
  /// The text before the first NUL. What stands behind it in a field of fixed size is what was there before.
  static func name(_ value: ExifValue?) -> String? {
    guard let bytes = value?.textBytes else { return nil }
    return tidy(decode(bytes.prefix { $0 != 0 }))
  }

  /// The text, also behind a NUL when that is text too.
  static func passage(_ value: ExifValue?) -> String? {
    guard let bytes = value?.textBytes else { return nil }
    let trimmed = trimmingEnd(bytes[...])
    return tidy(decode(isText(trimmed) ? trimmed : trimmed.prefix { $0 != 0 }))
  }

  /// The bytes without the NULs and blanks at their end.
  static func trimmingEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = bytes.lastIndex(where: { $0 != 0 && $0 != 0x20 }) else { return bytes.prefix(0) }
    return bytes[...last]
  }

  /// Whether bytes can be taken for text: no control characters but NUL, tab and line ends, in UTF-8 or Latin-1.
  static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    decode(bytes).unicodeScalars.allSatisfy { scalar in
      scalar.properties.generalCategory != .control || [0x00, 0x09, 0x0A, 0x0D].contains(scalar.value)
    }
  }

  /// UTF-8 where it is valid, else Latin-1, in which everything is.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// A run of control characters becomes one blank, blanks at the end go; nil when nothing is left.
  static func tidy(_ text: String) -> String? {
    var tidied = String.UnicodeScalarView()
    var isInControl = false
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      if !isControl {
        tidied.append(scalar)
      } else if !isInControl {
        tidied.append(" ")
      }
      isInControl = isControl
    }
    while let last = tidied.last, last.properties.isWhitespace { tidied.removeLast() }
    return tidied.isEmpty ? nil : String(tidied)
  }
}
