/// Writes the completions of zsh: a file `_photo-ingest` for a folder of `fpath`, which may be sourced as well.
enum ZshCompletions {
  static var script: [String] {
    [
      "#compdef photo-ingest",
      "# Completions of photo-ingest for zsh; \"photo-ingest completions zsh\" writes them.",
      "",
      "_photo-ingest-first() {",
      "  local -a commands=(",
    ]
      + CommandWord.allCases.map { "    " + Shell.quoted("\($0.rawValue):\(escaped($0.description.summary))") }
      + [
        "  )",
        "  _describe -t commands command commands",
        "  _files -/",
        "}",
        "",
        "_photo-ingest() {",
        "  local command='' operand='*:FOLDER:_photo-ingest-first'",
        "  local -i i",
        "  # The command is the first word that is neither an option nor the value of one.",
        "  for ((i = 2; i < CURRENT; i++)); do",
        "    case ${words[i]} in",
        "      (\(OptionTable.valuedSpellings.joined(separator: "|"))) ((i++)) ;;",
        "      (-*) ;;",
        "      (\(CommandWord.allCases.map(\.rawValue).joined(separator: "|")))",
        "        command=${words[i]}",
        "        words[i]=()",
        "        ((CURRENT--))",
        "        break",
        "        ;;",
        "      (*)",
        "        command=run",
        "        break",
        "        ;;",
        "    esac",
        "  done",
        "  [[ -z $command ]] || operand='*:FOLDER:_files -/'",
        "  case $command in",
      ]
      + CommandWord.allCases.filter { $0 != .run }.flatMap { block($0, pattern: $0.rawValue) }
      + block(.run, pattern: "*")
      + [
        "  esac",
        "}",
        "",
        "if [[ ${funcstack[1]} == _photo-ingest ]]; then",
        "  _photo-ingest \"$@\"",
        "else",
        "  compdef _photo-ingest photo-ingest",
        "fi",
      ]
  }

  private static func block(_ command: CommandWord, pattern: String) -> [String] {
    let operand: String
    switch command {
    case .run: operand = "\"$operand\""
    case .verify, .export, .publish: operand = "'*:DIR:\(action(command.operandCandidates))'"
    case .inspect: operand = "'*:FILE:\(action(command.operandCandidates))'"
    case .help: operand = "'*:TOPIC:\(action(command.operandCandidates))'"
    case .completions: operand = "'*:SHELL:\(action(command.operandCandidates))'"
    }
    return ["    (\(pattern))", "      _arguments -s -S \\"]
      + OptionTable.rows(of: command).map { "        \(argument($0)) \\" }
      + ["        \(operand)", "      ;;"]
  }

  /// One option as `_arguments` wants it: which ones it excludes, its spellings, its gist, its value.
  private static func argument(_ row: OptionSpec) -> String {
    var tail = "[\(escaped(row.gist))]"
    if row.takesValue { tail += ":\(escaped(row.placeholder ?? "VALUE")):\(action(row.candidates))" }
    let long = row.dashed + (row.takesValue ? "=" : "")
    guard let short = row.spellings.first, row.short != nil else {
      return Shell.quoted((row.isRepeatable ? "*" : "") + long + tail)
    }
    let exclusion = Shell.quoted("(\(row.spellings.joined(separator: " ")))")
    return "\(exclusion){\(short)\(row.takesValue ? "+" : ""),\(long)}\(Shell.quoted(tail))"
  }

  private static func action(_ candidates: Candidates) -> String {
    switch candidates {
    case .nothing: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .list(let words): "_values -s , word \(words.joined(separator: " "))"
    case .files: "_files"
    case .folders: "_files -/"
    }
  }

  /// `:`, brackets and backslashes mean something to `_arguments`.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == ":" || scalar == "[" || scalar == "]" || scalar == "\\" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
