/// Writes the lines of a manual page in the mdoc language, so that `mandoc -T lint` has nothing to say.
enum Mdoc {
  /// Running text: every sentence on lines of its own, no line too long, nothing taken for a macro.
  static func text(_ text: String) -> [String] {
    sentences(text).flatMap { sentence in
      TextWrapping.lines(sentence.map(escaped).joined(separator: " "), width: 78).map(guarded)
    }
  }

  /// One argument of a macro.
  static func argument(_ text: String) -> String {
    let word = text.split(separator: " ", omittingEmptySubsequences: false).map(escaped).joined(separator: " ")
    return word.contains(" ") ? "\"\(word)\"" : word
  }

  /// A line that is shown as it is.
  static func literal(_ line: String) -> String {
    guarded(line.split(separator: " ", omittingEmptySubsequences: false).map(escaped).joined(separator: " "))
  }

  /// A list of terms with their explanations.
  static func list(_ items: [(term: String, text: [String])]) -> [String] {
    [".Bl -tag -width Ds"] + items.flatMap { [".It " + $0.term] + $0.text } + [".El"]
  }

  /// The words of each sentence: a sentence ends with a word that ends in a full stop, perhaps in a bracket or quotes.
  private static func sentences(_ text: String) -> [[Substring]] {
    var sentences: [[Substring]] = []
    var sentence: [Substring] = []
    for word in text.split(separator: " ") {
      sentence.append(word)
      var last = word
      while last.last == ")" || last.last == "\"" { last.removeLast() }
      if last.last == "." || last.last == "?" || last.last == "!" {
        sentences.append(sentence)
        sentence = []
      }
    }
    return sentence.isEmpty ? sentences : sentences + [sentence]
  }

  /// Backslashes stand for themselves, and the dashes of options are no hyphens: they can be copied.
  private static func escaped(_ word: Substring) -> String {
    let opening = word.drop { $0 == "(" || $0 == "\"" || $0 == "[" }
    let isOption = opening.first == "-"
    return word.reduce(into: "") { text, sign in
      switch sign {
      case "\\": text += "\\e"
      case "-" where isOption: text += "\\-"
      case "\"": text += "\\(dq"
      default: text.append(sign)
      }
    }
  }

  private static func guarded(_ line: String) -> String {
    line.first == "." || line.first == "'" ? "\\&" + line : line
  }
}
