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
    let albums: AlbumList?
    do { albums = try surroundings.engine.albums(below: directory) } catch { return failed(error) }
    if format == .bagit { return try bag(directory, albums, settings) }
    if let source = settings.last("source") { throw source.refused("is of use for --format bagit only") }
    let output = surroundings.standardOutput
    let control = stop.control
    let destination: ManifestExport.Destination =
      if let file, file != [ASCII.dash] { .file(file) } else { .pieces { !control.isCancelled && output.write($0) } }

    let console = Console(surroundings.standardError)
    stop.beginWork()
    do {
      var failures: [(name: RelativePath, error: RunError)] = []
      let missing: Int
      if let albums {
        let export = AlbumsManifestExport(albums, directory: directory, format: format)
        let result = try surroundings.engine.exportAlbums(export, to: destination)
        (missing, failures) = (result.leftOut, result.failures)
      } else {
        missing = try surroundings.engine.export(ManifestExport(directory: directory, format: format), to: destination)
      }
      if missing > 0, !settings.isOn("quiet") {
        console.write(["\(Counted.photos(missing)) left out: \(format.rawValue) has no place for them"])
      }
      for (name, error) in failures { complain(SummaryText.prefix(name) + error.sentence) }
      return .code((failures.isEmpty ? ExitCode(.done) : .incomplete).rawValue)
    } catch {
      return failed(error)
    }
  }

  private func failed(_ error: RunError) -> Ending {
    complain(error.sentence)
    return .code(ExitCode(.failed(error)).rawValue)
  }

  private func complain(_ sentence: String) {
    let palette = Palette(.auto, stream: surroundings.standardError, environment: surroundings.environment)
    Console(surroundings.standardError).write([TextPrinter.complaint(sentence, palette)], .error)
  }
}

extension ExportCommand {
  /// A bag is a folder and has its place: `DIR/bag`, or that in each album.
  private func bag(_ directory: [UInt8], _ albums: AlbumList?, _ settings: Settings) throws(UsageError) -> Ending {
    if let output = settings.last("output") { throw output.refused("is no place for a bag, which goes to DIR/bag") }
    var export = BagExport(directory: directory)
    if let source = settings.last("source") {
      if albums != nil {
        throw source.refused("is the source of one album, and DIR holds several; name one: DIR/ALBUM")
      }
      export.source = try source.path()
    }
    export.software = Version.line
    let console = Console(surroundings.standardError)
    stop.beginWork()
    let outcome: Outcome
    do {
      if let albums { return try bags(AlbumsBagExport(albums, common: export), settings) }
      let result = try surroundings.engine.bag(export, control: stop.control)
      if !settings.isOn("quiet") { console.write(Self.lines(result)) }
      outcome = .done
    } catch {
      // Whoever has stopped it knows.
      let isStopped = if case .cancelled = error { stop.control.isCancelled } else { false }
      if !isStopped { complain(error.sentence) }
      outcome = .failed(error)
    }
    return stop.ending(else: .code(ExitCode(outcome).rawValue))
  }

  /// A bag in every album; one that cannot be made is told, and the others are made.
  private func bags(_ export: AlbumsBagExport, _ settings: Settings) throws(RunError) -> Ending {
    let console = Console(surroundings.standardError)
    var codes: [ExitCode] = []
    for (name, outcome) in try surroundings.engine.bagAlbums(export, control: stop.control) {
      let prefix = SummaryText.prefix(name)
      switch outcome {
      case .success(let result):
        codes.append(.good)
        if !settings.isOn("quiet") { console.write(Self.lines(result).map { prefix + $0 }) }
      case .failure(let error):
        codes.append(.incomplete)
        complain(prefix + error.sentence)
      }
    }
    return stop.ending(else: .code(ExitCode.worst(codes).rawValue))
  }

  private static func lines(_ result: BagExport.Result) -> [String] {
    let size = "\(Counted.things(result.files, "file", "files")), \(Counted.bytes(Double(result.bytes)))"
    let left = result.leftOut == 0 ? [] : ["\(Counted.photos(result.leftOut)) left out: they have no checksum"]
    return [result.wasCurrent ? "the bag is current: \(size)" : "a new bag: \(size)"] + left
  }
}
