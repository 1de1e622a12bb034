import Ingest
import IngestCore

/// Publishes a finished output.
struct PublishCommand {
  /// A configuration is read whole.
  private static let longestFile = 4 << 20

  let surroundings: Surroundings
  let stop: SignalStop

  func run(_ low: LowArguments) throws(UsageError) -> Ending {
    let settings = try CommandSettings.read(low, surroundings)
    guard let file = try settings.last("config")?.path() else {
      throw .missingOption("--config FILE", command: .publish)
    }
    let directory = try CommandSettings.directory(low, .publish)
    let bytes: [UInt8]
    do {
      bytes = try surroundings.readFile(file, Self.longestFile)
    } catch {
      throw .unreadable(option: "--config", reason: "\(error)")
    }
    let configuration = try PublishSettings.read(
      bytes, name: String(decoding: file, as: UTF8.self), allowsHTTP: settings.isOn("allow-http"), surroundings)
    var publication = PublishRun(directory: directory, configuration: configuration)
    publication.source = try settings.last("source")?.path()
    publication.isDryRun = settings.isOn("dry-run")
    publication.isFull = settings.isOn("full")
    let talk = try RunRequestReader.talk(from: settings)

    let console = Console(surroundings.standardError)
    let palette = Palette(talk.color, stream: surroundings.standardError, environment: surroundings.environment)
    let printers = printers(talk, console, palette, isDryRun: publication.isDryRun)
    stop.beginWork()
    let outcome = work(publication, printers)
    let ending = stop.ending(else: .code(ExitCode(outcome).rawValue))
    for printer in printers { printer.finish(outcome, ending: ending) }
    return ending
  }

  private func work(_ publication: PublishRun, _ printers: [any PublishPrinting]) -> Outcome {
    do {
      return .published(
        try surroundings.engine.publish(publication, control: stop.control) { event in
          for printer in printers { printer.hear(event) }
        })
    } catch {
      return .failed(error)
    }
  }

  /// The progress line comes last, so that a line of text wipes it first.
  private func printers(
    _ talk: RunRequest.Talk, _ console: Console, _ palette: Palette, isDryRun: Bool
  ) -> [any PublishPrinting] {
    let output = surroundings.standardOutput
    var printers: [any PublishPrinting] = []
    if talk.isJSON { printers.append(PublishJSONPrinter(output: output)) }
    printers.append(
      PublishTextPrinter(
        listing: isDryRun && !talk.isJSON ? output : nil, console: console, palette: palette,
        isQuiet: talk.volume == .quiet || talk.isJSON, isTold: !talk.isJSON))
    let form = ProgressPrinter.form(
      talk, standardOutput: output, standardError: surroundings.standardError, environment: surroundings.environment)
    if let form, !isDryRun {
      printers.append(PublishProgressPrinter(console: console, form: form, clock: surroundings.clock))
    }
    return printers
  }
}
