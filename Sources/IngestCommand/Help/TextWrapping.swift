/// Breaks text into lines of at most this many columns, at blanks.
enum TextWrapping {
  static let width = 80

  /// Lines of `text`, each behind `indent` blanks; a word longer than a line keeps a line of its own.
  static func lines(_ text: String, indent: Int = 0, width: Int = width) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }

  /// A term with its explanation beside it, or below where the term is too long.
  static func entry(_ term: String, _ text: String, termColumns: Int, indent: Int = 2) -> [String] {
    let column = indent + termColumns + 2
    var explained = lines(text, indent: column)
    let blanks = String(repeating: " ", count: indent)
    guard let first = explained.first, term.count <= termColumns else { return [blanks + term] + explained }
    let gap = String(repeating: " ", count: termColumns - term.count + 2)
    explained[0] = blanks + term + gap + first.drop { $0 == " " }
    return explained
  }
}
