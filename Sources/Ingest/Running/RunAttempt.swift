import Catalogue
import IngestCore
import IngestFiles

/// Does the main job from the scan to the settled manifest. A second one follows when the catalogue breaks on the way.
struct RunAttempt {
  let configuration: RunConfiguration
  let source: SourceFolder
  let output: OutputFolder
  let last: LastRun
  let shared: SharedLoading?
  let control: CollectionControl
  let story: RetoldStory
  let report: IngestRun.Report

  /// Runs, and once more with a catalogue from the manifest when the old one turns out to be damaged.
  func runMendingCatalogue() throws(RunError) -> (RunSummary, problemMark: String) {
    do {
      return try run()
    } catch {
      guard case .catalogueUnusable(let reason) = error else { throw error }
      try catalogueFile.putAside(because: reason)
      story.beginAgain()
      return try run()
    }
  }

  private var catalogueFile: CatalogueFile {
    CatalogueFile(output: output, configuration: configuration, lastOptions: last.options, report: report)
  }

  private func run() throws(RunError) -> (RunSummary, problemMark: String) {
    let started = ContinuousClock.now
    let sourceGuard = SourceGuard(configuration, output: output)
    try sourceGuard.check(source, remembered: RememberedSource.read(below: output.path))
    let catalogue = try catalogueFile.open()
    let found = try CandidateList.find(
      in: source, configuration, outputFolder: OutputNames.outermostFolder(configuration), control: control,
      report: report)
    let census = output.thumbnailCensus()
    let plan = try RunPlan(
      found, source: source, output: output, catalogue: catalogue, census: census, configuration: configuration,
      control: control)
    if plan.known == 0 { story.beginFirstRun() }
    try sourceGuard.check(plan, isEmpty: found.candidates.isEmpty && found.leftOut.isEmpty)
    if plan.known > 0, plan.unasked == plan.known {
      report(
        .message(
          .warning,
          "none of the \(plan.known) photos of the last manifest is asked for any more: see --include, --exclude, "
            + "--files-from and --hidden"))
    }

    let originals = try writing { () throws(FileError) in
      try OriginalKeeper(configuration, source: source, output: output, report: report)
    }
    let taker = TurnTaker(
      configuration: configuration, catalogue: catalogue, plan: plan, originals: originals, report: report)
    let standing = StandingResults(
      configuration, output: output, catalogue: catalogue, census: census, originals: originals, report: report)
    do throws(RunError) {
      try LoadPasses(
        configuration, source: source, output: output, catalogue: catalogue, shared: shared, control: control,
        report: report
      ).run(plan, into: taker)
    } catch {
      if case .stoppedByPolicy = error { standing?.putBack(plan, taker) }
      throw error
    }
    try writing { () throws(FileError) in try originals?.finish() }
    let settled = try Settlement(
      configuration: configuration, output: output, catalogue: catalogue, plan: plan, census: census,
      unread: found.unread, report: report
    ).settle(taker)
    try remember()
    let pruned = configuration.prunesOriginals ? try prune(found) : 0
    try makeBag()
    let vanished = vanished(plan, taker)
    for path in vanished { report(.vanished(path: path)) }

    var leftOut = found.leftOut
    if taker.skippedUnsupported > 0 { leftOut["unsupported"] = taker.skippedUnsupported }
    var summary = RunSummary(
      totals: settled.totals, problems: settled.problems, leftOut: leftOut,
      unreadableFolders: found.unreadable.count, bytesRead: taker.bytesRead, elapsed: ContinuousClock.now - started)
    summary.reads = taker.reads
    summary.unchanged = taker.kept
    summary.pruned = pruned
    summary.unasked = plan.unasked
    summary.knewPhotos = plan.known > 0
    summary.vanished = Array(vanished.prefix(RunSummary.keptProblems))
    summary.vanishedCount = vanished.count
    summary.wroteNothing = settled.isCurrent
    return (summary, settled.problemMark)
  }

  /// Photos that are gone and were not found again under another name.
  private func vanished(_ plan: RunPlan, _ taker: TurnTaker) -> [RelativePath] {
    let found = Set(taker.renamed.values)
    return plan.gone.filter { !plan.refound.contains($0.path) }.map { RelativePath($0.path) }
      .filter { !found.contains($0) }
  }

  /// Keeps what `verify` and `export` need to find the sources again, and the manifests.
  private func remember() throws(RunError) {
    var manifests = configuration.manifests.union(output.standingManifests)
    if BagExport.isStanding(below: configuration.output) { manifests.insert(.bagit) }
    let selection = RememberedSelection(configuration, manifests: manifests)
    try writing { () throws(FileError) in
      try RememberedSource(source).write(to: output)
      try selection.write(to: output)
    }
  }

  /// Makes the bag where one is wanted, or where one stands that would else contradict the manifest.
  private func makeBag() throws(RunError) {
    let isWanted = configuration.manifests.contains(.bagit)
    guard isWanted || BagExport.isStanding(below: configuration.output) else { return }
    var export = BagExport(directory: configuration.output)
    export.source = configuration.source
    export.software = configuration.software
    let result = try export.runInside(readingPayload: configuration.readsEverything, control: control)
    if !result.wasCurrent { report(.message(.info, "a new bag: \(result.files) files")) }
  }

  private func prune(_ found: CandidateList) throws(RunError) -> Int {
    guard found.unreadable.isEmpty else {
      // Their photos have no rows, and are not gone for that.
      report(.message(.warning, "originals/ is not pruned, since a folder could not be read"))
      return 0
    }
    return try OriginalsPrune(output: output, report: report).run(control: control)
  }
}
