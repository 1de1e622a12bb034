public import IngestCore
import IngestFiles
import PhotoCodecs

/// Runs the main job: scan, load, collect in order, write thumbnails and manifests.
public struct IngestRun: Sendable {
  public typealias Report = @Sendable (RunEvent) -> Void

  public let configuration: RunConfiguration

  /// What it loads with beside other runs; nil when it has threads of its own.
  private let shared: SharedLoading?

  public init(_ configuration: RunConfiguration) {
    self.init(configuration, shared: nil)
  }

  init(_ configuration: RunConfiguration, shared: SharedLoading?) {
    self.configuration = configuration
    self.shared = shared
  }

  /// Does the whole job and returns when the manifest is in its place.
  ///
  /// Photos that an earlier run has read, and that are still what they were, are not opened. Blocks the calling thread.
  /// `control` ends it from another thread; an old manifest then stays as it was.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> RunSummary {
    let started = ContinuousClock.now
    var source = try openSource()
    try checkOutput(for: source)
    let lock = OutputLock(configuration.output)
    defer { lock.finish() }
    // Whoever has waited may find another disk mounted.
    if try lock.take(configuration.lockPatience, control: control, report: report) { source = try openSource() }
    let output = try writing { () throws(FileError) in try OutputFolder.create(configuration.output) }
    output.sweepLeftovers()
    output.abandonFolder()
    var last = LastRun(below: output)
    let list = try writing { () throws(FileError) in try ReadList(below: output) }
    do throws(RunError) {
      let story = RetoldStory(report)
      let tell: Report = { event in
        // A list that cannot be written is told of when it gets its name.
        try? list.hear(event)
        story.hear(event)
      }
      let attempt = RunAttempt(
        configuration: configuration, source: source, output: output, last: last, shared: shared, control: control,
        story: story, report: tell)
      var (summary, mark) = try attempt.runMendingCatalogue()
      summary.problemsChanged = mark != last.problemMark
      summary.elapsed = ContinuousClock.now - started
      last.problemMark = mark
      last.options = RowRecipe(configuration).text
      try writing { () throws(FileError) in
        try list.commit()
        try last.keep(summary, in: output)
        try output.syncFolders()
      }
      return summary
    } catch {
      // The report is lost with whatever ended the run, if it must be.
      try? list.commit()
      try? last.keep(error, after: ContinuousClock.now - started, in: output)
      throw error
    }
  }

  /// Lists the candidates in order. Reads no photo and writes nothing at all.
  @available(*, noasync, message: "listCandidates blocks its thread; call it from a thread of your own")
  public func listCandidates(
    control: CollectionControl, report: @escaping Report, candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary {
    let source = try openSource()
    let found = try CandidateList.find(
      in: source, configuration, outputFolder: OutputNames.outermostFolder(configuration), wantsIdentities: false,
      control: control, report: report)
    for found in found.candidates { candidate(found.path) }
    return CandidateSummary(
      count: found.candidates.count, leftOut: found.leftOut, unreadableFolders: found.unreadable.count)
  }

  // MARK: Steps

  private func openSource() throws(RunError) -> SourceFolder {
    do {
      return try SourceFolder.open(configuration.source)
    } catch {
      throw .sourceUnusable(error)
    }
  }

  /// Whether a `manifest.jsonl` lies in a folder without traces of a run and does not begin as ours do. An empty one has
  /// nothing to lose, and of a damaged one the first line tells.
  private var isManifestForeign: Bool {
    let bytes = OutputFolder.strangersBytes(
      in: configuration.output, of: "manifest.jsonl", count: ManifestReader.maximumHeaderLength)
    guard let bytes, !bytes.isEmpty else { return false }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return true }
    return (try? JSONReader().read(Array(bytes[..<end])))?["format"]?.stringValue != ManifestEncoder.formatName
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
    let stranger =
      isManifestForeign
      ? "manifest.jsonl"
      : OutputFolder.strangersFile(in: configuration.output, among: names, without: "manifest.jsonl")
    if let name = stranger {
      throw .outputUnusable(
        FileError(
          path: configuration.output, operation: "holds a file \(name) that no run has written; choose another folder",
          errno: 0))
    }
    if AlbumsMark.holdsAlbums(configuration.output) {
      throw .outputUnusable(
        FileError(
          path: configuration.output,
          operation: "holds albums of several folders; give all of them again, or an output folder of its own", errno: 0
        ))
    }
    try OriginalsPrune.refuseFirstRun(configuration)
    if configuration.manifests.contains(.bagit), let output = try? SourceFolder.open(configuration.output) {
      _ = try BagExport.standing(below: output)
    }
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
