public import IngestCore

/// Says how one album of a run has ended, with all of its errors. What became of other albums is not in it.
public struct AlbumResult: Sendable {
  public let album: Album
  public let outcome: Result<RunSummary, RunError>
  /// Of the manifest that stands in the album now; of an album that did not complete that is an earlier one, or none.
  public let counts: ManifestTotals
  /// In the order of the manifest; of an album that did not complete the one cause.
  public let errors: [AlbumError]

  public init(album: Album, outcome: Result<RunSummary, RunError>, counts: ManifestTotals, errors: [AlbumError]) {
    self.album = album
    self.outcome = outcome
    self.counts = counts
    self.errors = errors
  }

  /// Whether the album is complete, every photo of it is verified and every folder was read.
  public var succeeded: Bool {
    guard case .success(let summary) = outcome else { return false }
    return summary.isAllVerified
  }

  /// Whether its manifest is that of this run.
  public var isComplete: Bool {
    if case .success = outcome { true } else { false }
  }
}

/// Is one error of an album: a photo that is not verified, or what kept the album from being complete.
public struct AlbumError: Sendable, Hashable {
  /// The code of a photo's failure, or a stable word for the end of a run, such as `source-unusable`.
  public let code: String
  public let message: String
  /// Of a photo's row in the manifest.
  public let index: Int?
  public let path: RelativePath?

  public init(code: String, message: String, index: Int? = nil, path: RelativePath? = nil) {
    self.code = code
    self.message = message
    self.index = index
    self.path = path
  }
}

/// Says how a run over several folders has ended.
public struct AlbumsSummary: Sendable {
  /// In the order given.
  public var results: [AlbumResult]
  public var elapsed: Duration
  /// Why `albums.json` could not be written, though the albums are what they are.
  public var fault: RunError?

  public init(results: [AlbumResult], elapsed: Duration, fault: RunError? = nil) {
    self.results = results
    self.elapsed = elapsed
    self.fault = fault
  }

  /// Whether no album failed.
  public var succeeded: Bool { fault == nil && results.allSatisfy(\.succeeded) }

  /// Of all manifests that stand.
  public var totals: ManifestTotals {
    results.reduce(into: ManifestTotals()) { totals, result in
      totals.assets += result.counts.assets
      totals.verified += result.counts.verified
      totals.damaged += result.counts.damaged
      totals.failed += result.counts.failed
    }
  }

  /// Those of the albums that are complete.
  public var summaries: [RunSummary] { results.compactMap { try? $0.outcome.get() } }
}

/// Tells what a run over several folders is doing. Comes from several threads.
public enum AlbumsEvent: Sendable {
  /// An event of one album's run; in order within the album. Without an album it concerns all of them.
  case run(RunEvent, of: Album?)
  /// An album has ended.
  case ended(AlbumResult)
}
