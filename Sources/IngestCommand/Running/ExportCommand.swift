import Ingest
import IngestCore

/// Writes the manifest of a finished output in another format.
struct ExportCommand {
  let surroundings: Surroundings
  let stop: SignalStop

  func run(_ low: LowArguments) throws(UsageError) -> Ending {
    let settings = try CommandSettings.read(low, surroundings)
    guard let given = settings.last("format") else { throw .missingOption("--format F", command: .export) }
    let format = try given.choice(ManifestFormat.self)
    guard let directory = low.operands.first else { throw .missingOperand("DIR", command: .export) }
    if low.operands.count > 1 {
      throw .extraOperand(String(decoding: low.operands[1], as: UTF8.self), command: .export)
    }
    if directory.isEmpty { throw .badOperand("DIR", problem: "a name cannot be empty") }
    let file = try settings.last("output")?.path()
    let output = surroundings.standardOutput
    let control = stop.control
    let destination: ManifestExport.Destination =
      if let file, file != [ASCII.dash] { .file(file) } else { .pieces { !control.isCancelled && output.write($0) } }

    let console = Console(surroundings.standardError)
    stop.beginWork()
    do {
      let export = ManifestExport(directory: directory, format: format)
      let missing = try surroundings.engine.export(export, to: destination)
      if missing > 0, !settings.isOn("quiet") {
        console.write(["\(Counted.photos(missing)) left out: \(format.rawValue) has no place for them"])
      }
      return .code(ExitCode(.done).rawValue)
    } catch {
      let palette = Palette(.auto, stream: surroundings.standardError, environment: surroundings.environment)
      console.write([TextPrinter.complaint(error.sentence, palette)], .error)
      return .code(ExitCode(.failed(error)).rawValue)
    }
  }
}

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
}
