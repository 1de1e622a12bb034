import Ingest
import IngestCore

/// Lays the environment and the command line of a command without a configuration file over each other.
enum CommandSettings {
  static func read(_ low: LowArguments, _ surroundings: Surroundings) throws(UsageError) -> Settings {
    let environment = try EnvironmentLayer.read(for: low.command, surroundings.environment)
    let typed = low.occurrences.map { Settings.Given(option: $0.option, value: $0.value, origin: .commandLine) }
    try Settings.checkArrival(environment)
    try Settings.checkArrival(typed)
    var settings = Settings()
    settings.lay(environment)
    settings.lay(typed)
    return settings
  }

  /// The one operand of a command that works on a finished output.
  static func directory(_ low: LowArguments, _ command: CommandWord) throws(UsageError) -> [UInt8] {
    guard let directory = low.operands.first else { throw .missingOperand("DIR", command: command) }
    if low.operands.count > 1 {
      throw .extraOperand(String(decoding: low.operands[1], as: UTF8.self), command: command)
    }
    if directory.isEmpty { throw .badOperand("DIR", problem: "a name cannot be empty") }
    if directory.contains(0) { throw .badOperand("DIR", problem: "a name cannot hold NUL") }
    return directory
  }
}
