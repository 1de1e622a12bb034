import Ingest
import IngestCore

/// Does the main job, or lists what it would read, and tells about it.
struct RunCommand {
  let surroundings: Surroundings
  let stop: SignalStop

  func run(_ low: LowArguments) throws(UsageError) -> Ending {
    let request = try RunRequestReader(surroundings: surroundings).read(low)
    let printers = try printers(for: request)
    stop.beginWork()
    let began = surroundings.clock()
    let outcome = request.isDryRun ? list(request, printers) : work(request, printers)
    var ending = unlessLost(stop.ending(else: .code(ExitCode(outcome).rawValue)))
    if !request.isDryRun {
      ending = GaugeWriting(surroundings: surroundings, printers: printers)
        .tell(request, outcome, ending, took: surroundings.clock() - began)
    }
    for printer in printers {
      printer.finish(outcome, ending: ending)
      // A JSON summary may be what does not fit any more; those who tell the code outside come after it.
      ending = unlessLost(ending)
    }
    return ending
  }

  /// The same, unless standard output has been lost: then everybody is to be told the code with which `Command` ends.
  private func unlessLost(_ ending: Ending) -> Ending {
    guard case .code = ending, surroundings.standardOutput.lossReason != nil else { return ending }
    return .code(ExitCode.incomplete.rawValue)
  }

  private func work(_ request: RunRequest, _ printers: [any RunPrinting]) -> Outcome {
    do {
      if let albums = request.albums {
        return .albums(
          try surroundings.engine.runAlbums(albums, control: stop.control) { event in
            for printer in printers { printer.hear(event) }
          })
      }
      return .run(
        try surroundings.engine.run(request.configuration, control: stop.control) { event in
          for printer in printers { printer.hear(event) }
        })
    } catch {
      if case .locked = error, request.skipsWhenLocked { return .skipped(error) }
      return .failed(error)
    }
  }

  private func list(_ request: RunRequest, _ printers: [any RunPrinting]) -> Outcome {
    let listing = CandidateOutput(surroundings.standardOutput, request)
    defer { listing.flush() }
    do {
      if let albums = request.albums {
        return .albumsListed(
          try surroundings.engine.listAlbums(albums, control: stop.control) { event in
            for printer in printers { printer.hear(event) }
          } candidate: { album, path in
            listing.write(path, of: album)
          })
      }
      return .listed(
        try surroundings.engine.listCandidates(request.configuration, control: stop.control) { event in
          for printer in printers { printer.hear(event) }
        } candidate: { path in
          listing.write(path, of: nil)
        })
    } catch {
      return .failed(error)
    }
  }

  /// Everyone who listens to this run. The progress line comes last, so that a line of text wipes it first.
  private func printers(for request: RunRequest) throws(UsageError) -> [any RunPrinting] {
    let talk = request.talk
    let place = RunPlace(request.configuration, folders: request.albums?.folders)
    let console = Console(surroundings.standardError)
    let palette = Palette(talk.color, stream: surroundings.standardError, environment: surroundings.environment)
    var printers: [any RunPrinting] = []
    // A dry run writes nothing at all.
    if let file = talk.logFile, !request.isDryRun { printers.append(try log(file, place, console, palette)) }
    if talk.isJSON { printers.append(JSONPrinter(output: surroundings.standardOutput)) }
    let makeText: (Console) -> TextPrinter = { console in
      TextPrinter(
        console: console, palette: palette, volume: talk.volume, place: place, isBesideJSON: talk.isJSON)
    }
    printers.append(
      talk.isCron && !request.isDryRun
        ? CronPrinter(surroundings.standardError, makeText: makeText) : makeText(console))
    let form = ProgressPrinter.form(
      talk, standardOutput: surroundings.standardOutput, standardError: surroundings.standardError,
      environment: surroundings.environment)
    if let form, !request.isDryRun {
      printers.append(ProgressPrinter(console: console, form: form, clock: surroundings.clock))
    }
    if let target = request.ping, !request.isDryRun {
      // A night's run has nobody to tell; the service itself sees what does not come.
      let isTold = !talk.isCron && talk.volume != .quiet
      printers.append(
        PingPrinter(target, surroundings) { reason in
          guard isTold else { return }
          console.write([TextPrinter.warning("ping: \(reason)", palette)], .warning)
        })
    }
    return printers
  }

  private func log(
    _ file: [UInt8], _ place: RunPlace, _ console: Console, _ palette: Palette
  ) throws(UsageError) -> LogPrinter {
    do {
      let began = surroundings.clock()
      let clock = surroundings.clock
      var printer = LogPrinter(log: try surroundings.openLog(file), place: place, clock: { clock() - began })
      // Said in any case, also by a quiet run: somebody relies on that file.
      printer.onLoss = { reason in
        let words = "--log-file \(String(decoding: file, as: UTF8.self)): cannot be written: \(reason)"
        console.write([TextPrinter.warning(words, palette)], .warning)
      }
      printer.begin(RunBeginning(seconds: surroundings.wallClock(), processID: surroundings.processID))
      return printer
    } catch {
      throw .unreadable(option: "--log-file", reason: "\(error)")
    }
  }
}
