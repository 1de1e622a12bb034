import Ingest
import IngestCore

/// Shows both events of single photos, with all that is known of each.
struct InspectCommand {
  let surroundings: Surroundings
  let stop: SignalStop

  func run(_ low: LowArguments) throws(UsageError) -> Ending {
    let settings = try CommandSettings.read(low, surroundings)
    let (limits, decoding) = try RunRequestReader.loading(from: settings)
    let talk = try RunRequestReader.talk(from: settings)
    if low.operands.isEmpty { throw .missingOperand("FILE", command: .inspect) }
    if low.operands.contains(where: \.isEmpty) { throw .badOperand("FILE", problem: "a name cannot be empty") }

    let place = try place(settings, talk)
    let inspection = PhotoInspection(limits: limits, decoding: decoding, place: place)
    stop.beginWork()
    var allVerified = true
    for (index, path) in low.operands.enumerated() where !stop.control.isCancelled {
      do {
        let row =
          talk.isJSON
          ? try json(path, index, inspection) : try text(path, index, inspection, talk.color)
        allVerified = allVerified && row.status == .verified
      } catch {
        allVerified = false
        complain(error, talk)
        if Self.isLasting(error) { return stop.ending(else: .code(ExitCode(.failed(error)).rawValue)) }
      }
    }
    return stop.ending(else: .code(ExitCode(.inspected(allVerified: allVerified)).rawValue))
  }

  /// Whether the next photo would meet the same fault.
  private static func isLasting(_ error: RunError) -> Bool {
    switch error {
    case .sandboxRefused, .noDecoder: true
    case .sourceUnusable, .sourceDoubtful, .outputUnusable, .locked, .stoppedByPolicy, .cancelled, .catalogueUnusable,
      .manifestUnusable, .bagUnusable, .publishingUnusable, .inputUnusable:
      false
    }
  }

  private func place(_ settings: Settings, _ talk: RunRequest.Talk) throws(UsageError) -> DecodingPlace {
    let (workers, requiresSandbox) = try RunRequestReader.workers(from: settings)
    guard workers == .processes else { return .inProcess }
    let console = Console(surroundings.standardError)
    let palette = Palette(talk.color, stream: surroundings.standardError, environment: surroundings.environment)
    let watch = DecoderWatch(requiresSandbox: requiresSandbox) { words in
      console.write([TextPrinter.warning(words, palette)], .warning)
    }
    return .processes(program: DecodeWorker.thisProgram, watch: watch)
  }

  private func text(
    _ path: [UInt8], _ index: Int, _ inspection: PhotoInspection, _ color: RunRequest.Talk.When
  ) throws(RunError) -> AssetRow {
    let output = surroundings.standardOutput
    let words = InspectionText(
      palette: Palette(color, stream: output, environment: surroundings.environment))
    output.write((index > 0 ? "\n" : "") + words.title(path) + "\n")
    let row = try surroundings.engine.inspect(path, with: inspection, control: stop.control) { preview in
      output.write(words.degraded(preview) + "\n")
    }
    output.write(words.lines(row).map { $0 + "\n" }.joined())
    return row
  }

  private func json(_ path: [UInt8], _ index: Int, _ inspection: PhotoInspection) throws(RunError) -> AssetRow {
    let printer = JSONPrinter(output: surroundings.standardOutput)
    let row = try surroundings.engine.inspect(path, with: inspection, control: stop.control) { preview in
      printer.degraded(index: index, path: RelativePath(path), preview: preview)
    }
    surroundings.standardOutput.write(ManifestEncoder(order: .list).row(row).line(index: index))
    return row
  }

  private func complain(_ error: RunError, _ talk: RunRequest.Talk) {
    if case .cancelled = error, stop.control.isCancelled { return }
    if talk.isJSON { JSONPrinter(output: surroundings.standardOutput).message(.error, error.sentence) }
    let palette = Palette(talk.color, stream: surroundings.standardError, environment: surroundings.environment)
    Console(surroundings.standardError).write([TextPrinter.complaint(error.sentence, palette)], .error)
  }
}
