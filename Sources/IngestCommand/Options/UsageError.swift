/// Tells where a setting came from.
enum Origin: Sendable, Hashable {
  case commandLine
  /// The variable's name.
  case environment(String)
  /// The file's readable name, and the line of the key.
  case file(String, line: Int)
}

/// Says why a command line, an environment or a configuration cannot be followed. Exit code 2, nothing was touched.
///
/// Holds the facts; `sentence` makes the words.
enum UsageError: Error, Sendable, Hashable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  case foreignOption(String, command: CommandWord)
  case missingValue(option: String, placeholder: String, next: String?)
  case unexpectedValue(option: String)
  /// `problem` follows the value: "is not a whole number".
  case badValue(Origin, option: String, value: String, problem: String, suggestion: String?)
  /// `subject` is what the user wrote: `--lock`, `verify`.
  case notYet(Origin, subject: String)
  /// An option that means nothing without another one.
  case needs(Origin, option: String, String)
  case missingOption(String, command: CommandWord)
  case missingOperand(String, command: CommandWord)
  case extraOperand(String, command: CommandWord)
  /// `problem` follows the operand: "a name cannot be empty".
  case badOperand(String, problem: String)
  case unknownTopic(String, suggestion: String?)
  case unknownShell(String, suggestion: String?)
  /// The configuration is no JSON. `reason` names the place: "line 3, column 7: ...".
  case configSyntax(file: String, line: Int, reason: String)
  case unknownKey(file: String, line: Int, key: String, suggestion: String?)
  case badKey(file: String, line: Int, key: String, problem: String)
  /// An entry of `--files-from`. Entries count from 1.
  case badListEntry(list: String, entry: Int, name: String, problem: String)
  case outputIsSource(String)
  /// A file that the user named cannot be read; the text is the lower layer's, and names the file.
  case unreadable(option: String, reason: String)
}

extension UsageError {
  /// One sentence: subject, what happened, why.
  var sentence: String {
    switch self {
    case .unknownCommand(let word, let suggestion):
      "\(quoted(word)): no command and no folder of that name" + hint(suggestion)
    case .unknownOption(let option, let suggestion):
      "\(clean(option)): no option of that name" + hint(suggestion)
    case .foreignOption(let option, let command):
      "\(option): not an option of \(command.rawValue)"
    case .missingValue(let option, let placeholder, let next):
      "\(option): the value \(placeholder) is missing"
        + (next.map { " (write \(option)=\(clean($0)) if \(quoted($0)) is meant)" } ?? "")
    case .unexpectedValue(let option):
      "\(option): takes no value"
    case .badValue(let origin, let option, let value, let problem, let suggestion):
      "\(origin.subject(option)): \(quoted(value)) \(clean(problem))" + hint(suggestion)
    case .notYet(let origin, let subject):
      "\(origin.prefix)\(clean(subject)) is not available yet in this version"
    case .needs(let origin, let option, let other):
      "\(origin.prefix)\(option): needs \(other)"
    case .missingOption(let option, let command):
      "\(option): missing; \(command.rawValue) needs it"
    case .missingOperand(let operand, let command):
      "\(operand): missing; \(command.rawValue) needs it"
    case .extraOperand(let operand, let command):
      "\(quoted(operand)): one operand too many for \(command.rawValue)"
    case .badOperand(let operand, let problem):
      "\(operand): \(problem)"
    case .unknownTopic(let topic, let suggestion):
      "\(quoted(topic)): no help topic of that name (there are \(HelpTopic.words))" + hint(suggestion)
    case .unknownShell(let shell, let suggestion):
      "\(quoted(shell)): no completions for a shell of that name (there are \(Shell.words))" + hint(suggestion)
    case .configSyntax(let file, let line, let reason):
      "\(clean(file)):\(line): not JSON settings: \(clean(reason))"
    case .unknownKey(let file, let line, let key, let suggestion):
      "\(clean(file)):\(line): \(quoted(key)): no key of that name" + hint(suggestion)
    case .badKey(let file, let line, let key, let problem):
      "\(clean(file)):\(line): \(quoted(key)): \(clean(problem))"
    case .badListEntry(let list, let entry, let name, let problem):
      "\(clean(list)): entry \(entry), \(quoted(name)): \(clean(problem))"
    case .outputIsSource(let folder):
      "--output: \(quoted(folder)) is the source folder itself; results go to a folder of their own"
    case .unreadable(let option, let reason):
      "\(option): \(clean(reason))"
    }
  }

  private func clean(_ text: String) -> String { SafeText.cleaned(text) }
  private func quoted(_ text: String) -> String { "\"\(SafeText.cleaned(text))\"" }
  private func hint(_ suggestion: String?) -> String { suggestion.map { "; did you mean \"\($0)\"?" } ?? "" }
}

extension Origin {
  /// The start of a sentence about the value of an option.
  func subject(_ option: String) -> String {
    switch self {
    case .commandLine: option
    case .environment(let name): name
    case .file(let file, let line): "\(SafeText.cleaned(file)):\(line): \"\(option.dropFirst(2))\""
    }
  }

  /// The start of a sentence that names its subject itself.
  var prefix: String {
    switch self {
    case .commandLine: ""
    case .environment(let name): "\(name): "
    case .file(let file, let line): "\(SafeText.cleaned(file)):\(line): "
    }
  }
}
