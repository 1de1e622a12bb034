import Catalogue
import IngestCore
import IngestFiles

/// Loads what the plan says, in order: each photo once, young files last, and those that changed while they were read once
/// more at the end.
struct LoadPasses {
  private let configuration: RunConfiguration
  private let source: SourceFolder
  private let output: OutputFolder
  private let catalogue: Catalogue
  /// What other runs load with too; nil when this one has threads of its own.
  private let shared: SharedLoading?
  private let control: CollectionControl
  private let report: IngestRun.Report

  init(
    _ configuration: RunConfiguration, source: SourceFolder, output: OutputFolder, catalogue: Catalogue,
    shared: SharedLoading?, control: CollectionControl, report: @escaping IngestRun.Report
  ) {
    self.configuration = configuration
    self.shared = shared
    self.source = source
    self.output = output
    self.catalogue = catalogue
    self.control = control
    self.report = report
  }

  /// Hands every outcome to the taker, on this thread. Starts nothing when nothing is to be read. When a policy stops the
  /// run, the photos it cancels are told.
  func run(_ plan: RunPlan, into taker: TurnTaker) throws(RunError) {
    do throws(RunError) {
      try taker.takeKnown()
      try load(plan, into: taker)
    } catch {
      for turn in taker.cancelledTurns { report(.cancelled(path: plan.candidates[turn].path)) }
      throw error
    }
  }

  private func load(_ plan: RunPlan, into taker: TurnTaker) throws(RunError) {
    let loads = plan.loads
    guard !loads.isEmpty else { return }
    let report = report
    let watch =
      shared?.watch
      ?? DecoderWatch(requiresSandbox: configuration.requiresSandbox) { report(.message(.warning, $0)) }
    let site = LoadSite(
      folder: source,
      thumbnails: ThumbnailStore(output: output, configuration: configuration) { report(.message(.warning, $0)) },
      recognition: ContentRecognition(plan.twins, catalogue: catalogue, output: output, folder: source),
      fetcher: try fetcher(plan, loads))
    let jobs = min(configuration.jobs, loads.count)
    let threads = shared?.threads ?? LoaderCrew.fitting(jobs) { report(.message(.warning, $0)) }
    let loader =
      shared?.loader(for: site)
      ?? PhotoLoader(
        site, threads: threads, request: configuration.decodeRequest, timeout: configuration.limits.timeout,
        place: configuration.decodingPlace(watch))
    defer { loader.shutDown() }
    // Whoever shares the loader's threads may have to wait for them.
    let pass = Pass(
      plan: plan, taker: taker, watch: watch, control: control,
      collector: Collector(
        loader: loader, window: threads * 2 + 2,
        options: ImageRequestOptions(isNetworkAccessAllowed: configuration.allowsNetwork),
        timeLimit: timeLimit * (shared?.waits ?? 1)),
      previews: PreviewQueue(isOpen: !configuration.settlesIndexLate), report: report)

    let age = MinimumAge(configuration.minimumAge)
    let (grown, young) = age.partition(loads) { plan.candidates[$0].identity }
    var ignored = try pass.run(grown, isLastTry: false)
    if !young.isEmpty {
      age.wait(for: young.compactMap { plan.candidates[$0].identity }, control)
      ignored += try pass.run(young, isLastTry: false)
    }
    ignored += try pass.run(taker.unsettled, isLastTry: true)
    tellIgnored(ignored)
  }

  /// The net under one turn: a loader keeps finer limits of its own.
  private var timeLimit: Duration {
    let fetch = configuration.remoteOriginals.isEmpty ? Duration.zero : configuration.fetchLimits.total
    return configuration.limits.timeout + fetch + .seconds(5)
  }

  /// Brings remote originals here; nil where none is asked for.
  private func fetcher(_ plan: RunPlan, _ loads: [Int]) throws(RunError) -> OriginalFetcher? {
    let remote = loads.filter { plan.candidates[$0].kind == .remote }
    guard !remote.isEmpty else { return nil }
    // What is read again for a reason of this run alone need not be asked for again.
    let trusted = remote.filter { turn in
      guard case .load(let reason, _) = plan.turns[turn] else { return false }
      return reason == .options || reason == .outputMissing
    }
    return try writing { () throws(FileError) in
      try OriginalFetcher(
        configuration.remoteOriginals, limits: configuration.fetchLimits, output: output,
        trusted: Set(trusted.map { plan.candidates[$0].path }))
    }
  }

  /// Runs some of the turns through the loader.
  private struct Pass {
    let plan: RunPlan
    let taker: TurnTaker
    let watch: DecoderWatch
    let control: CollectionControl
    let collector: Collector<PhotoLoader>
    let previews: PreviewQueue
    let report: IngestRun.Report

    /// Returns how many signals came that were not due.
    func run(_ turns: [Int], isLastTry: Bool) throws(RunError) -> Int {
      let assets = turns.lazy.map {
        Asset(path: plan.candidates[$0].path, isInCloud: plan.candidates[$0].kind == .remote)
      }
      // A photo that is read again has told of its stand-in.
      let previews = isLastTry ? nil : previews
      let outcome = try collector.collect(
        assets, control: control, onDegraded: { previews?.append(turns[$0], $1, $2.facts) },
        take: { turn throws(RunError) in
          if let breakdown = watch.breakdown { throw RunError(breakdown) }
          previews?.tell(report)
          try taker.take(turn: turns[turn.index], turn.asset, turn.outcome, isLastTry: isLastTry)
        })
      if control.isCancelled { throw .cancelled }
      return outcome.ignored.total
    }
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
