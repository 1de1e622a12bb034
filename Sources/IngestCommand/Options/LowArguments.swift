/// Holds the command line as it was written: words put in their places, nothing of their meaning judged yet.
struct LowArguments: Sendable {
  struct Occurrence: Sendable {
    let option: OptionSpec
    /// Empty for a switch.
    let value: [UInt8]
  }

  var command: CommandWord = .run
  var occurrences: [Occurrence] = []
  var operands: [[UInt8]] = []
  var wantsHelp = false
  var wantsVersion = false
  /// Whether no command was named and no folder either, as in `photo-ingest --help`.
  var isBare = false
}
