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
    let directory = try CommandSettings.directory(low, .export)
    let file = try settings.last("output")?.path()
    if format == .bagit { return try bag(directory, settings) }
    if let source = settings.last("source") { throw source.refused("is of use for --format bagit only") }
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

extension ExportCommand {
  /// A bag is a folder and has its place: `DIR/bag`.
  private func bag(_ directory: [UInt8], _ settings: Settings) throws(UsageError) -> Ending {
    if let output = settings.last("output") { throw output.refused("is no place for a bag, which goes to DIR/bag") }
    var export = BagExport(directory: directory)
    export.source = try settings.last("source")?.path()
    export.software = Version.line
    let console = Console(surroundings.standardError)
    stop.beginWork()
    let outcome: Outcome
    do {
      let result = try surroundings.engine.bag(export, control: stop.control)
      if !settings.isOn("quiet") { console.write(Self.lines(result)) }
      outcome = .done
    } catch {
      // Whoever has stopped it knows.
      let isStopped = if case .cancelled = error { stop.control.isCancelled } else { false }
      if !isStopped {
        let palette = Palette(.auto, stream: surroundings.standardError, environment: surroundings.environment)
        console.write([TextPrinter.complaint(error.sentence, palette)], .error)
      }
      outcome = .failed(error)
    }
    return stop.ending(else: .code(ExitCode(outcome).rawValue))
  }

  private static func lines(_ result: BagExport.Result) -> [String] {
    let size = "\(Counted.things(result.files, "file", "files")), \(Counted.bytes(Double(result.bytes)))"
    let left = result.leftOut == 0 ? [] : ["\(Counted.photos(result.leftOut)) left out: they have no checksum"]
    return [result.wasCurrent ? "the bag is current: \(size)" : "a new bag: \(size)"] + left
  }
}
