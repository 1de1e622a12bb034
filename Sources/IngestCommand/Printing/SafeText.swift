/// Makes foreign text harmless for a terminal and a log.
///
/// A file name may hold a line feed, an escape sequence that repaints the screen, or marks that turn the reading
/// direction so that `gpj.exe` looks like `exe.jpg`. Each is shown as an escape instead: `\n`, `\x1b`, `\u{202e}`.
enum SafeText {
  static func cleaned(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        clean.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        clean.append(scalar)
      }
    }
    return String(clean)
  }

  /// Shows bytes that need not be UTF-8.
  static func cleaned(_ bytes: [UInt8]) -> String {
    cleaned(String(decoding: bytes, as: UTF8.self))
  }

  /// Controls, format marks and line separators; but not the joiners that emoji and Indic names need.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7F { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return scalar.value != 0x200C && scalar.value != 0x200D
    default: return false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16)
      return scalar.value < 0x100 ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
    }
  }
}
