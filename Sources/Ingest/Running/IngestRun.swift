public import IngestCore
import IngestFiles
import PhotoCodecs

/// Runs the main job: scan, load, collect in order, write thumbnails and manifests.
public struct IngestRun: Sendable {
  public typealias Report = @Sendable (RunEvent) -> Void

  public let configuration: RunConfiguration

  public init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// Does the whole job and returns when the manifest is in its place.
  ///
  /// Blocks the calling thread. `control` ends it from another thread; an old manifest then stays as it was.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> RunSummary {
    let started = ContinuousClock.now
    var source = try openSource()
    try checkOutput(for: source)
    let lock = OutputLock(configuration.output)
    defer { lock.finish() }
    // Whoever has waited may find another disk mounted.
    if try take(lock, control: control, report: report) { source = try openSource() }
    let output = try writing { () throws(FileError) in try OutputFolder.create(configuration.output) }
    output.sweepLeftovers()
    output.abandonFolder()
    let candidates = try findCandidates(in: source, output: output.identity, control: control, report: report)
    let originals = try writing { () throws(FileError) in
      try OriginalKeeper(configuration, source: source, output: output, report: report)
    }
    let taker = try writing { () throws(FileError) in
      try TurnTaker(
        configuration: configuration, output: output, originals: originals, turns: candidates.assets.count,
        report: report)
    }
    try LoadPasses(configuration, source: source, output: output, control: control, report: report)
      .run(candidates.assets, into: taker)
    let (totals, problems) = try writing { () throws(FileError) in
      try originals?.finish()
      return try Settlement(configuration: configuration, output: output, report: report).settle(taker)
    }
    try remember(source, below: output)
    if configuration.prunesOriginals { try prune(output, candidates, control: control, report: report) }
    try makeBag(control: control, report: report)
    var leftOut = candidates.leftOut
    if taker.skippedUnsupported > 0 { leftOut["unsupported"] = taker.skippedUnsupported }
    return RunSummary(
      totals: totals, problems: problems, leftOut: leftOut, unreadableFolders: candidates.unreadable.count,
      bytesRead: taker.bytesRead, elapsed: ContinuousClock.now - started)
  }

  /// Lists the candidates in order. Reads no photo and writes nothing at all.
  @available(*, noasync, message: "listCandidates blocks its thread; call it from a thread of your own")
  public func listCandidates(
    control: CollectionControl, report: @escaping Report, candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary {
    let source = try openSource()
    let candidates = try findCandidates(
      in: source, output: FolderIdentity.of(configuration.output), control: control, wantsIdentities: false,
      report: report)
    for asset in candidates.assets { candidate(asset.path) }
    return CandidateSummary(
      count: candidates.assets.count, leftOut: candidates.leftOut, unreadableFolders: candidates.unreadable.count)
  }

  // MARK: Steps

  private func openSource() throws(RunError) -> SourceFolder {
    do {
      return try SourceFolder.open(configuration.source)
    } catch {
      throw .sourceUnusable(error)
    }
  }

  private func checkOutput(for source: SourceFolder) throws(RunError) {
    // Asked before anything is made: files of ours must never lie among the photos themselves.
    if FolderIdentity.of(configuration.output) == source.identity {
      throw .outputUnusable(FileError(path: configuration.output, operation: "is the source folder itself", errno: 0))
    }
    for name in OutputNames.folders {
      let path = configuration.output + "/\(name)".utf8
      if let ours = FolderIdentity.of(path), source.lies(within: ours) {
        throw .outputUnusable(
          FileError(path: configuration.output, operation: "holds the source folder among its own results", errno: 0))
      }
    }
    let names = configuration.manifests.map(\.fileName).sorted()
    if let name = OutputFolder.strangersFile(in: configuration.output, among: names, without: "manifest.jsonl") {
      throw .outputUnusable(
        FileError(
          path: configuration.output, operation: "holds a file \(name) that no run has written; choose another folder",
          errno: 0))
    }
    if configuration.manifests.contains(.bagit), let output = try? SourceFolder.open(configuration.output) {
      _ = try BagExport.standing(below: output)
    }
  }

  /// Takes the output folder before anything is written there, and returns whether that took a wait.
  private func take(
    _ lock: OutputLock, control: CollectionControl, report: @escaping Report
  ) throws(RunError) -> Bool {
    if try writing({ () throws(FileError) in try lock.obtain() }) { return false }
    let holder = lock.holder()
    let limit: Duration?
    switch configuration.lockPatience {
    case .none: throw .locked(output: configuration.output, by: holder, waited: nil)
    case .atMost(let duration): limit = duration
    case .forever: limit = nil
    }
    report(.message(.warning, "waiting: " + LockWords.held(configuration.output, by: holder)))
    switch try writing({ () throws(FileError) in try lock.wait(atMost: limit, control: control) }) {
    case .obtained, .alreadyHeld: return true
    case .timedOut: throw .locked(output: configuration.output, by: lock.holder(), waited: limit)
    case .cancelled: throw .cancelled
    }
  }

  /// Keeps what `verify` and `export` need to find the sources again.
  private func remember(_ source: SourceFolder, below output: OutputFolder) throws(RunError) {
    try writing { () throws(FileError) in
      try RememberedSource(source).write(to: output)
      try RememberedSelection(configuration).write(to: output)
    }
  }

  /// Makes the bag where one is wanted, or where one stands that would else contradict the manifest.
  private func makeBag(control: CollectionControl, report: Report) throws(RunError) {
    let isWanted = configuration.manifests.contains(.bagit)
    guard isWanted || BagExport.isStanding(below: configuration.output) else { return }
    var export = BagExport(directory: configuration.output)
    export.source = configuration.source
    export.software = configuration.software
    let result = try export.runInside(control: control)
    if !result.wasCurrent { report(.message(.info, "a new bag: \(result.files) files")) }
  }

  private func prune(
    _ output: OutputFolder, _ candidates: CandidateList, control: CollectionControl, report: @escaping Report
  ) throws(RunError) {
    guard candidates.unreadable.isEmpty else {
      // Their photos have no rows, and are not gone for that.
      return report(.message(.warning, "originals/ is not pruned, since a folder could not be read"))
    }
    try OriginalsPrune(output: output, report: report).run(control: control)
  }

  /// Does something in the output folder; what goes wrong there ends the run.
  private func writing<Value>(_ body: () throws(FileError) -> Value) throws(RunError) -> Value {
    do {
      return try body()
    } catch {
      throw .outputUnusable(error)
    }
  }

  private func findCandidates(
    in source: SourceFolder, output: FolderIdentity?, control: CollectionControl, wantsIdentities: Bool = true,
    report: Report
  ) throws(RunError) -> CandidateList {
    let candidates = CandidateList(
      source, configuration, outputFolder: output, control: control, wantsIdentities: wantsIdentities)
    if control.isCancelled { throw .cancelled }
    for error in candidates.unreadable { report(.message(.warning, error.description)) }
    report(.scanned(count: candidates.assets.count))
    return candidates
  }
}

/// Holds what a dry run has to say.
public struct CandidateSummary: Sendable {
  public var count: Int
  public var leftOut: [String: Int]
  public var unreadableFolders: Int
}

extension RunConfiguration {
  /// What each load delivers.
  var decodeRequest: DecodeRequest {
    DecodeRequest(
      thumbnailSizes: thumbnailSizes, scale: decoding == .full ? .full : .scaled,
      limits: DecodeLimits(maxPixels: limits.maxPixels, maxMemory: limits.maxMemory))
  }
}
