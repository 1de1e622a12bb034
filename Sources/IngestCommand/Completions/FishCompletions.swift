/// Writes the completions of fish: a file `photo-ingest.fish` for its folder of completions.
enum FishCompletions {
  static var script: [String] {
    [
      "# Completions of photo-ingest for fish; \"photo-ingest completions fish\" writes them.",
      "",
      "# Prints the command: the first word that is neither an option nor the value of one. A folder means run.",
      "function __photo_ingest_command",
      "  set -l is_value 0",
      "  for word in (commandline -opc)[2..-1]",
      "    if test $is_value = 1",
      "      set is_value 0",
      "      continue",
      "    end",
      "    switch $word",
      "      case \(OptionTable.valuedSpellings.joined(separator: " "))",
      "        set is_value 1",
      "      case '-*'",
      "      case \(CommandWord.allCases.map(\.rawValue).joined(separator: " "))",
      "        echo $word",
      "        return",
      "      case '*'",
      "        echo run",
      "        return",
      "    end",
      "  end",
      "  return 1",
      "end",
      "",
      "# Says whether no command is named yet.",
      "function __photo_ingest_bare",
      "  not __photo_ingest_command >/dev/null",
      "end",
      "",
      "# Says whether the command is one of these; run is what none means.",
      "function __photo_ingest_of",
      "  set -l command (__photo_ingest_command)",
      "  set -q command[1]; or set command run",
      "  contains -- $command $argv",
      "end",
      "",
      "complete -c photo-ingest -f",
    ]
      + CommandWord.allCases.map {
        "complete -c photo-ingest -n __photo_ingest_bare -a \($0.rawValue) -d \(quoted($0.description.summary))"
      }
      + CommandWord.allCases.map { command in
        "complete -c photo-ingest -n \(condition([command])) \(offer(command.operandCandidates))"
      }
      + OptionTable.rows.map(option)
  }

  private static func option(_ row: OptionSpec) -> String {
    var line = "complete -c photo-ingest"
    if row.commands.count < CommandWord.allCases.count { line += " -n \(condition(row.commands))" }
    if let short = row.short { line += " -s \(Character(Unicode.Scalar(short)))" }
    line += " -l \(row.name)"
    if row.takesValue { line += row.candidates == .files ? " -r -F" : " -x \(offer(row.candidates))" }
    while line.last == " " { line.removeLast() }
    return line + " -d \(quoted(row.gist))"
  }

  private static func condition(_ commands: Set<CommandWord>) -> String {
    let words = CommandWord.allCases.filter(commands.contains).map(\.rawValue)
    return quoted("__photo_ingest_of \(words.joined(separator: " "))")
  }

  private static func offer(_ candidates: Candidates) -> String {
    switch candidates {
    case .nothing: ""
    case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
    case .list(let words): "-a \(quoted("(__fish_append , \(words.joined(separator: " ")))"))"
    case .files: "-F"
    case .folders: "-a '(__fish_complete_directories)'"
    }
  }

  private static func quoted(_ text: String) -> String { Shell.quoted(text) }
}
