/// Says what a shell may offer for the value of an option or for an operand.
enum Candidates: Hashable, Sendable {
  /// Nothing: a number, or free text.
  case nothing
  /// One of these words.
  case words([String])
  /// Some of these words, with commas between.
  case list([String])
  case files
  case folders
}

extension OptionSpec {
  /// What a shell may offer for the value.
  var candidates: Candidates {
    switch value {
    case .none, .text, .count, .pixels, .memory, .seconds, .share: .nothing
    case .path: placeholder == "DIR" || placeholder == "FOLDER" ? .folders : .files
    case .choice(let words): .words(words)
    case .choices(let words): .list(words)
    case .lock: .words(["fail", "skip", "wait"])
    }
  }

  /// The option as it may be typed: the short form, where there is one, before the long one.
  var spellings: [String] {
    (short.map { ["-\(Character(Unicode.Scalar($0)))"] } ?? []) + [dashed]
  }

  /// The help without its later sentences and full stop: what fits beside a candidate.
  var gist: String {
    var gist = help[...]
    if let end = help.firstRange(of: ". ") { gist = help[..<end.lowerBound] }
    return String(gist.last == "." ? gist.dropLast() : gist)
  }
}

extension CommandWord {
  /// What a shell may offer for the operands.
  var operandCandidates: Candidates {
    switch self {
    case .run, .verify, .export, .publish: .folders
    case .inspect: .files
    case .help: .words(HelpTopic.allCases.map(\.rawValue) + Self.allCases.map(\.rawValue))
    case .completions: .words(Shell.allCases.map(\.rawValue))
    }
  }
}

extension OptionTable {
  /// Every spelling of an option that takes a value: the word behind it is no command.
  static let valuedSpellings: [String] = {
    var seen: Set<String> = []
    return rows.filter(\.takesValue).flatMap(\.spellings).filter { seen.insert($0).inserted }
  }()
}
