import IngestCore
import IngestFiles

/// Loads everything in order: each photo once, and those that changed while they were read once more at the end.
struct LoadPasses {
  private let configuration: RunConfiguration
  private let source: SourceFolder
  private let output: OutputFolder
  private let control: CollectionControl
  private let report: IngestRun.Report

  init(
    _ configuration: RunConfiguration, source: SourceFolder, output: OutputFolder, control: CollectionControl,
    report: @escaping IngestRun.Report
  ) {
    self.configuration = configuration
    self.source = source
    self.output = output
    self.control = control
    self.report = report
  }

  /// Hands every outcome to the taker, on this thread.
  func run(_ assets: [Asset], into taker: TurnTaker) throws(RunError) {
    let report = report
    let watch = DecoderWatch(requiresSandbox: configuration.requiresSandbox) { report(.message(.warning, $0)) }
    let loader = PhotoLoader(
      folder: source, threads: configuration.jobs, request: configuration.decodeRequest,
      timeout: configuration.limits.timeout, place: configuration.decodingPlace(watch),
      thumbnails: ThumbnailStore(output: output, configuration: configuration))
    defer { loader.shutDown() }
    let collector = Collector(
      loader: loader, window: configuration.jobs * 2 + 2, timeLimit: configuration.limits.timeout + .seconds(5))

    let previews = PreviewQueue(isOpen: !configuration.settlesIndexLate)
    let first = try collector.collect(
      assets, control: control, onDegraded: { previews.append($0, $1, $2.facts) },
      take: { turn throws(RunError) in
        if let breakdown = watch.breakdown { throw RunError(breakdown) }
        previews.tell(report)
        try taker.take(turn: turn.index, turn.asset, turn.outcome, isLastTry: false)
      })
    if control.isCancelled { throw .cancelled }

    let again = taker.unsettled
    let second = try collector.collect(again.map { assets[$0] }, control: control) { turn throws(RunError) in
      if let breakdown = watch.breakdown { throw RunError(breakdown) }
      try taker.take(turn: again[turn.index], turn.asset, turn.outcome, isLastTry: true)
    }
    if control.isCancelled { throw .cancelled }
    tellIgnored(first.ignored.total + second.ignored.total)
  }

  /// A signal that came when none was due was not counted for another photo, but somebody should know of it.
  private func tellIgnored(_ count: Int) {
    guard count > 0 else { return }
    report(.message(.warning, "the loader sent \(count) signals that were not due; they were ignored"))
  }
}

/// Keeps stand-ins until the run's thread tells of them.
///
/// A loader thread must not wait for somebody who reads slowly: its photo's time is running.
private final class PreviewQueue: Sendable {
  private let waiting = Guarded<[RunEvent]>([])
  private let isOpen: Bool

  /// - Parameter isOpen: whether stand-ins are told while the run goes on.
  init(isOpen: Bool) {
    self.isOpen = isOpen
  }

  func append(_ turn: Int, _ asset: Asset, _ preview: AssetRow.Preview) {
    guard isOpen else { return }
    waiting.withLock { $0.append(.degraded(index: turn, path: asset.path, preview: preview)) }
  }

  func tell(_ report: IngestRun.Report) {
    let events = waiting.withLock { events in
      defer { events = [] }
      return events
    }
    for event in events { report(event) }
  }
}
