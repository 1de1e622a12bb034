/// Makes docs/configuration.md from the option table: every key with its type, default and environment name.
enum ConfigurationReference {
  static var lines: [String] {
    [
      "<!-- Made by \"photo-ingest help config --format markdown\"; not to be changed by hand. -->", "",
      "# Configuration", "",
      "What each setting of `photo-ingest` is called on the command line, in the environment and in a configuration file.",
      "",
    ] + topic
      + ["", "## Settings", ""]
      + settings
      + ["", "## Only on the command line", ""]
      + commandLineOnly
      + [
        "", "## The rest of the environment", "", "| name | what |", "|---|---|",
      ] + EnvironmentNames.others.map { row([code($0.name), cell($0.text)]) }
  }

  private static var topic: [String] {
    guard let page = HelpTopic.config.page else { return [] }
    return ["| from | how |", "|---|---|"]
      + page.entries.map { row([code($0.term), cell($0.text)]) } + ["", cell(page.closing)]
  }

  /// Every long option that is a key, or has a name in the environment.
  private static var settings: [String] {
    [
      "Each key is the long name of an option: `--max-pixels 50M`, `PHOTO_INGEST_MAX_PIXELS=50M`,",
      "`{\"max-pixels\": \"50M\"}`. Keys are those of `run`; the environment holds for each command named.", "",
      "| key | type | default | environment | commands | what |", "|---|---|---|---|---|---|",
    ]
      + OptionTable.rows.filter { $0.environmentName != nil }.map { option in
        row([
          option.configKey.map(code) ?? "none: only `--\(option.name)`", cell(type(option)),
          option.standard.map(cell) ?? "", option.environmentName.map(code) ?? "", commands(option), cell(option.help),
        ])
      }
  }

  private static var commandLineOnly: [String] {
    ["| option | commands | default | what |", "|---|---|---|---|"]
      + OptionTable.rows.filter { $0.environmentName == nil }.map { option in
        row([
          code(option.dashed + (option.placeholder.map { " " + $0 } ?? "")), commands(option),
          option.standard.map(cell) ?? "", cell(option.help),
        ])
      }
  }

  private static func commands(_ option: OptionSpec) -> String {
    if option.commands.count == CommandWord.allCases.count { return "all" }
    return CommandWord.allCases.filter(option.commands.contains).map { code($0.rawValue) }.joined(separator: " ")
  }

  /// What a configuration file holds for the option, and within which bounds.
  private static func type(_ option: OptionSpec) -> String {
    let type =
      switch option.value {
      case .none: "true or false"
      case .path: "string, a name"
      case .text: "string"
      case .choice(let words): "string: \(words.joined(separator: ", "))"
      case .choices(let words): "array of strings, or one with commas: \(words.joined(separator: ", "))"
      case .count(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
      case .pixels(let range): "number, or string with M for million; up to \(range.upperBound / 1_000_000)M"
      case .memory(let range): "number of bytes, or string with M for MiB; up to \(range.upperBound >> 20)M"
      case .seconds(let range): "number of seconds, up to \(range.upperBound)"
      case .share: "whole number, or string with a share like 5%"
      case .lock: "string: fail, skip, wait or wait=SECONDS"
      }
    return option.isRepeatable ? type + "; or an array of them" : type
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  private static func code(_ text: String) -> String {
    "`\(text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|"))`"
  }

  /// Text in a cell of a table: nothing in it is markup.
  private static func cell(_ text: String) -> String {
    text.reduce(into: "") { cell, sign in
      if "|<>*_[]\\`".contains(sign) { cell.append("\\") }
      cell.append(sign)
    }
  }
}
