/// Names the forms in which `help` prints.
enum HelpFormat: String, CaseIterable, Sendable {
  /// Lines for a terminal.
  case text
  /// The manual page photo-ingest(1), in mdoc.
  case man
  /// The reference of settings, for docs/configuration.md.
  case markdown
}

/// Finds the page that `help` is asked for.
enum HelpCommand {
  static func lines(_ low: LowArguments) throws(UsageError) -> [String] {
    let typed = low.occurrences.map { Settings.Given(option: $0.option, value: $0.value, origin: .commandLine) }
    let format = try typed.last { $0.option.name == "format" }?.choice(HelpFormat.self) ?? .text
    if low.operands.count > 1 { throw .extraOperand(String(decoding: low.operands[1], as: UTF8.self), command: .help) }
    let topic = low.operands.first
    switch format {
    case .text: return try topic.map { word throws(UsageError) in try page(word) } ?? HelpText.overview
    case .man:
      guard topic == nil else { throw .badOperand("TOPIC", problem: "--format man makes one page of all of them") }
      return ManualPage.lines
    case .markdown:
      guard topic == Array(HelpTopic.config.rawValue.utf8) else {
        throw .badOperand("TOPIC", problem: "--format markdown is there for the topic config only")
      }
      return ConfigurationReference.lines
    }
  }

  private static func page(_ word: [UInt8]) throws(UsageError) -> [String] {
    if let command = CommandWord(bytes: word) { return HelpText.page(of: command) }
    let name = String(decoding: word, as: UTF8.self)
    if let topic = HelpTopic(rawValue: name) { return topic.lines }
    let words = CommandWord.allCases.map(\.rawValue) + HelpTopic.allCases.map(\.rawValue)
    throw .unknownTopic(name, suggestion: Suggestion.nearest(to: word, among: words))
  }
}
