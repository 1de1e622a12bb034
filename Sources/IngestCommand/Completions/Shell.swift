/// Names the shells that `photo-ingest completions` writes for. Their scripts are made from the option table.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script, in lines.
  var script: [String] {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }

  /// The shells, for a sentence.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// A word that all three shells take for itself, whatever stands in it.
  ///
  /// Quotes within are closed, written with a backslash and opened again, which fish reads like the others.
  static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
