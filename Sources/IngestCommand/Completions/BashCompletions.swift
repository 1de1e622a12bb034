/// Writes the completions of bash. The script needs no other package, and bash 4 or newer.
enum BashCompletions {
  static var script: [String] {
    """
    # Completions of photo-ingest for bash; "photo-ingest completions bash" writes them.

    # Offers words, files (-f) or folders (-d) that begin with what is typed.
    _photo_ingest_offer() {
      if [[ $1 != -W ]]; then
        compopt -o filenames 2>/dev/null
      fi
      mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
    }

    # Offers words of a list with commas between.
    _photo_ingest_offer_list() {
      local head=''
      if [[ $cur == *,* ]]; then
        head=${cur%,*},
        cur=${cur##*,}
      fi
      _photo_ingest_offer -W "$1" -P "$prefix$head"
    }

    _photo_ingest() {
      local cur=${COMP_WORDS[COMP_CWORD]} prefix='' command='' option='' options='' is_over='' i
      COMPREPLY=()
      # The command is the first word that is neither an option nor the value of one. Bash takes "=" for a word of its own.
      for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
          --) is_over=yes ;;
          \(OptionTable.valuedSpellings.joined(separator: " | ")))
            if [[ ${COMP_WORDS[i + 1]} == = ]]; then ((i += 2)); else ((i += 1)); fi
            ;;
          -* | =) ;;
          *)
            [[ $command ]] || command=${COMP_WORDS[i]}
            ;;
        esac
      done

      # The option whose value is being typed, if there is one.
      if [[ ! $is_over ]]; then
        if [[ $cur == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 1]} cur=''
        elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]] && ((COMP_CWORD > 1)); then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        elif [[ $cur == --*=* ]]; then
          option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=}
        else
          option=${COMP_WORDS[COMP_CWORD - 1]}
        fi
      fi

      case $command in
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      + CommandWord.allCases.filter { $0 != .run }.flatMap { block($0, pattern: $0.rawValue) }
      + block(.run, pattern: "*")
        + """
          esac
        }

        complete -F _photo_ingest photo-ingest
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// What is offered once the command is known: values, options, operands.
  private static func block(_ command: CommandWord, pattern: String) -> [String] {
    let rows = OptionTable.rows(of: command)
    var lines = ["    \(pattern))", "      case $option in"]
    for row in rows where row.takesValue {
      lines += ["        \(row.spellings.joined(separator: " | ")))"]
      if let offer = offer(row.candidates) { lines.append("          \(offer)") }
      lines += ["          return", "          ;;"]
    }
    lines += [
      "      esac",
      "      options=\(Shell.quoted(rows.flatMap(\.spellings).joined(separator: " ")))",
      "      if [[ $cur == -* && ! $is_over ]]; then",
      "        _photo_ingest_offer -W \"$options\"",
    ]
    if command == .run {
      // No command yet, so this may become one.
      let words = CommandWord.allCases.map(\.rawValue).joined(separator: " ")
      lines += [
        "      else",
        "        _photo_ingest_offer -d",
        "        if [[ ! $command && ! $is_over ]]; then",
        "          mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \(Shell.quoted(words)) -- \"$cur\")",
        "        fi",
      ]
    } else if let offer = offer(command.operandCandidates, hasPrefix: false) {
      lines += ["      else", "        \(offer)"]
    }
    return lines + ["      fi", "      ;;"]
  }

  private static func offer(_ candidates: Candidates, hasPrefix: Bool = true) -> String? {
    let prefix = hasPrefix ? " -P \"$prefix\"" : ""
    switch candidates {
    case .nothing: return nil
    case .words(let words):
      return "_photo_ingest_offer -W \(Shell.quoted(words.joined(separator: " ")))\(prefix)"
    case .list(let words): return "_photo_ingest_offer_list \(Shell.quoted(words.joined(separator: " ")))"
    case .files: return "_photo_ingest_offer -f\(prefix)"
    case .folders: return "_photo_ingest_offer -d\(prefix)"
    }
  }
}
