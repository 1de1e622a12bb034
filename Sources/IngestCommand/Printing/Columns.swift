/// Measures and cuts text by the columns it takes on a terminal.
enum Columns {
  static func count(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The end of `text` that fits into `columns`, with an ellipsis in front when something is cut.
  static func tail(_ text: String, fitting columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept: [Unicode.Scalar] = []
    var room = columns - 1
    for scalar in text.unicodeScalars.reversed() {
      room -= width(scalar)
      if room < 0 { break }
      kept.append(scalar)
    }
    // A mark whose base is gone would sit on the ellipsis.
    while let last = kept.last, width(last) == 0 { kept.removeLast() }
    var view = String.UnicodeScalarView("…".unicodeScalars)
    view.append(contentsOf: kept.reversed())
    return String(view)
  }

  /// The start of `text` that fits.
  static func head(_ text: String, fitting columns: Int) -> String {
    var view = String.UnicodeScalarView()
    var room = columns
    for scalar in text.unicodeScalars {
      room -= width(scalar)
      if room < 0 { break }
      view.append(scalar)
    }
    return String(view)
  }

  /// Two for East Asian wide characters and emoji, none for marks that sit on their neighbour (Unicode TR 11, in
  /// outline).
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
