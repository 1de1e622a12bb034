public import IngestCore

/// Holds what a finished run has to say.
public struct RunSummary: Sendable {
  /// How many photos that are not verified are kept by name; the manifest has them all.
  public static let keptProblems = 100

  public var totals: ManifestTotals
  /// Photos that are not verified, in manifest order, the first `keptProblems` of them.
  public var problems: [RowSummary]
  /// What the scan left out, by kind (stable words).
  public var leftOut: [String: Int]
  /// Folders that could not be read.
  public var unreadableFolders: Int
  public var bytesRead: UInt64
  public var elapsed: Duration
  /// Whether the photos that are not verified, or the folders that could not be read, are others than after the last
  /// complete run over this output folder. Before the first run there were none.
  public var problemsChanged: Bool
  /// How many photos were read, by reason. Reasons that did not occur are absent.
  public var reads: [ReadReason: Int] = [:]
  /// How many photos were not read, since what is known of them holds.
  public var unchanged = 0
  /// Photos of the last manifest that are gone from the source, the first `keptProblems` of them, by path.
  public var vanished: [RelativePath] = []
  public var vanishedCount = 0
  /// How many photos of the last manifest are there and no longer asked for.
  public var unasked = 0
  /// Whether the last manifest listed any photo; on a first run all is new, and nobody needs to hear it.
  public var knewPhotos = false
  /// How many files `--prune` has deleted from `originals/`.
  public var pruned = 0
  /// Whether every manifest was what it would be, so that none was written.
  public var wroteNothing = false

  public init(
    totals: ManifestTotals, problems: [RowSummary], leftOut: [String: Int], unreadableFolders: Int, bytesRead: UInt64,
    elapsed: Duration
  ) {
    self.totals = totals
    self.problems = problems
    self.leftOut = leftOut
    self.unreadableFolders = unreadableFolders
    self.bytesRead = bytesRead
    self.elapsed = elapsed
    problemsChanged = totals.verified < totals.assets || unreadableFolders > 0
  }

  /// Whether every photo of the manifest is verified and every folder was read: exit code 0 and not 3.
  public var isAllVerified: Bool {
    totals.verified == totals.assets && unreadableFolders == 0
  }
}
