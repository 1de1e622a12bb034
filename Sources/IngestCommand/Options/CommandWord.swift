/// Names what the program can be asked to do: the first operand of the command line.
enum CommandWord: String, CaseIterable, Sendable {
  case run, verify, export, inspect, publish, help, completions

  /// What a command is, for help and for the parser.
  struct Description: Sendable {
    /// The operands, as help shows them.
    let operands: String
    /// One line of help.
    let summary: String
    /// Whether this version has it.
    let arrival: Arrival
  }

  var description: Description {
    switch self {
    case .run:
      Description(
        operands: "FOLDER... --output DIR",
        summary: "verify every photo of each FOLDER, write thumbnails and manifests",
        arrival: .now)
    case .verify:
      Description(
        operands: "DIR", summary: "check a finished output, and its sources, against its manifest", arrival: .now)
    case .export:
      Description(
        operands: "--format F [-o FILE] DIR", summary: "write DIR/manifest.jsonl in another format", arrival: .now)
    case .inspect:
      Description(
        operands: "[--json] FILE...", summary: "show one photo: stand-in, header, metadata, verdict", arrival: .now)
    case .publish:
      Description(
        operands: "--config FILE DIR", summary: "upload a finished output and post its ordered list", arrival: .now)
    case .help:
      Description(
        operands: "[TOPIC]", summary: "show help; topics: \(HelpTopic.words)", arrival: .now)
    case .completions:
      Description(operands: "SHELL", summary: "print completions for a shell: \(Shell.words)", arrival: .now)
    }
  }

  /// The command whose word is exactly these bytes.
  init?(bytes: [UInt8]) {
    guard let word = Self.allCases.first(where: { Array($0.rawValue.utf8) == bytes }) else { return nil }
    self = word
  }
}

/// Says whether this version has something that the interface already names.
enum Arrival: Sendable, Hashable {
  case now
  case later
  /// The option is there, these values of it are not.
  case laterValues([String])
}
