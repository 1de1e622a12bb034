/// Writes the pages of help from the tables of commands, options and exit codes.
enum HelpText {
  /// What `--help` shows: examples first, then commands, the options most used, exit codes.
  static var overview: [String] {
    ["\(Version.line): \(summary)", ""] + examples.map { "  " + $0 } + ["", "COMMANDS"]
      + CommandWord.allCases.flatMap(command) + ["", "\"photo-ingest help run\" lists every option.", ""] + exitCodes
  }

  /// What the program gives, in a few words.
  static let summary = "verified photos, thumbnails and an ordered manifest"

  static let examples = [
    "photo-ingest FOLDER --output DIR",
    "photo-ingest run ~/Pictures -o results --thumbnail 256 --thumbnail 1024",
    "photo-ingest inspect IMG_0001.jpg",
    "photo-ingest export --format csv results > photos.csv",
  ]

  /// A page that is not about one command.
  static func topic(_ page: HelpPage) -> [String] {
    [page.title] + page.entries.flatMap { TextWrapping.entry($0.term, $0.text, termColumns: 18) } + [""]
      + TextWrapping.lines(page.closing)
  }

  /// The page of one command: its options by group.
  static func page(of command: CommandWord) -> [String] {
    let about = command.description
    var lines = ["photo-ingest \(command.rawValue) [OPTIONS] \(about.operands)"]
    lines += TextWrapping.lines(sentence(about.summary) + notYet(about.arrival))
    if command == .run { lines += ["", "\"photo-ingest FOLDER --output DIR\" is short for it."] }
    for group in OptionSpec.Group.allCases {
      let options = OptionTable.rows(of: command).filter { $0.group == group }
      guard !options.isEmpty else { continue }
      lines += ["", group.rawValue.utf8.map(ASCII.uppercased).reduce(into: "") { $0.unicodeScalars.append(.init($1)) }]
      lines += options.flatMap(option)
    }
    return lines + [""] + exitCodes
  }

  static var exitCodes: [String] {
    ["EXIT CODES"]
      + ExitCode.allCases.flatMap { TextWrapping.entry("\($0.rawValue)", $0.meaning, termColumns: 3) }
      + TextWrapping.lines(signals, indent: 2)
  }

  static let signals = "A run ended by a signal dies by that signal: a shell shows 129, 130 or 143."

  private static func command(_ command: CommandWord) -> [String] {
    let about = command.description
    return TextWrapping.entry(
      "\(command.rawValue) \(about.operands)", about.summary + notYet(about.arrival), termColumns: 31)
  }

  private static func option(_ option: OptionSpec) -> [String] {
    let short = option.short.map { "-\(Character(Unicode.Scalar($0))), " } ?? "    "
    let term = short + option.dashed + (option.placeholder.map { " " + $0 } ?? "")
    return TextWrapping.entry(term, explanation(option), termColumns: 25)
  }

  /// The help of an option, the words it takes, its default, and whether it is there yet.
  static func explanation(_ option: OptionSpec) -> String {
    var text = option.help
    switch option.value {
    case .choice(let words): text += " One of \(words.joined(separator: ", "))."
    case .choices(let words): text += " Of \(words.joined(separator: ", "))."
    default: break
    }
    if let standard = option.standard { text += " Default \(standard)." }
    switch option.arrival {
    case .now: break
    case .later: text += " (not yet)"
    case .laterValues(let words): text += " (not yet: \(words.joined(separator: ", ")))"
    }
    return text
  }

  private static func notYet(_ arrival: Arrival) -> String {
    arrival == .later ? " (not yet)" : ""
  }

  static func sentence(_ text: String) -> String {
    guard let first = text.utf8.first else { return text }
    return String(decoding: [ASCII.uppercased(first)], as: UTF8.self) + text.dropFirst() + "."
  }
}
