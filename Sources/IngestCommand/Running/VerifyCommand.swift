import Ingest
import IngestCore

/// Holds a finished output against its manifest and says what does not agree.
struct VerifyCommand {
  let surroundings: Surroundings
  let stop: SignalStop

  func run(_ low: LowArguments) throws(UsageError) -> Ending {
    let settings = try CommandSettings.read(low, surroundings)
    var verification = OutputVerification(directory: try CommandSettings.directory(low, .verify))
    verification.source = try settings.last("source")?.path()
    verification.isFast = settings.isOn("fast")
    verification.jobs = min(64, max(1, surroundings.processorCount))
    if let jobs = settings.last("jobs") { verification.jobs = try jobs.count() }
    let talk = try RunRequestReader.talk(from: settings)

    let console = Console(surroundings.standardError)
    let palette = Palette(talk.color, stream: surroundings.standardError, environment: surroundings.environment)
    let printers = printers(talk, console, palette)
    stop.beginWork()
    let outcome = try work(verification, settings, printers)
    let ending = stop.ending(else: .code(ExitCode(outcome).rawValue))
    for printer in printers { printer.finish(outcome, ending: ending) }
    return ending
  }

  private func work(
    _ verification: OutputVerification, _ settings: Settings, _ printers: [any VerifyPrinting]
  ) throws(UsageError) -> Outcome {
    let albums: AlbumList?
    do { albums = try surroundings.engine.albums(below: verification.directory) } catch { return .failed(error) }
    if albums != nil, let source = settings.last("source") {
      throw source.refused("is the source of one album, and DIR holds several; name one: DIR/ALBUM")
    }
    do {
      if let albums {
        let work = AlbumsVerification(albums, common: verification)
        return .albumsChecked(
          try surroundings.engine.verifyAlbums(work, control: stop.control) { event, album in
            for printer in printers { printer.hear(event, of: album) }
          })
      }
      return .checked(
        try surroundings.engine.verify(verification, control: stop.control) { event in
          for printer in printers { printer.hear(event) }
        })
    } catch {
      return .failed(error)
    }
  }

  /// The progress line comes last, so that a line of text wipes it first.
  private func printers(
    _ talk: RunRequest.Talk, _ console: Console, _ palette: Palette
  ) -> [any VerifyPrinting] {
    let output = surroundings.standardOutput
    var printers: [any VerifyPrinting] = []
    if talk.isJSON {
      printers.append(VerifyJSONPrinter(output: output))
    }
    printers.append(
      VerifyTextPrinter(
        output: talk.isJSON ? nil : output, console: console, palette: palette,
        resultPalette: Palette(talk.color, stream: output, environment: surroundings.environment),
        isQuiet: talk.volume == .quiet || talk.isJSON))
    let form = ProgressPrinter.form(
      talk, standardOutput: output, standardError: surroundings.standardError, environment: surroundings.environment)
    if let form { printers.append(VerifyProgressPrinter(console: console, form: form, clock: surroundings.clock)) }
    return printers
  }
}
