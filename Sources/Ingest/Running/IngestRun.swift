public import IngestCore

/// Runs the main job: scan, load, collect in order, write thumbnails and manifests.
public struct IngestRun: Sendable {
  public typealias Report = @Sendable (RunEvent) -> Void

  public let configuration: RunConfiguration

  public init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// Does the whole job and returns when the manifest is in its place.
  ///
  /// Blocks the calling thread. `control` ends it from another thread.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> RunSummary {
    throw .cancelled
  }

  /// Lists the candidates in order. Reads no photo and writes nothing at all.
  @available(*, noasync, message: "listCandidates blocks its thread; call it from a thread of your own")
  public func listCandidates(
    control: CollectionControl, report: @escaping Report, candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary {
    throw .cancelled
  }
}

/// Holds what a dry run has to say.
public struct CandidateSummary: Sendable {
  public var count: Int
  public var leftOut: [String: Int]
  public var unreadableFolders: Int
}
