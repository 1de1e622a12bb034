import Ingest

/// Holds everything a command can come to.
enum Outcome: Sendable {
  case done
  case run(RunSummary)
  case listed(CandidateSummary)
  /// A run over several folders; each album has its own ending.
  case albums(AlbumsSummary)
  case albumsListed([AlbumListing])
  case checked(VerifySummary)
  case published(PublishSummary)
  /// A verification of several albums, in their order.
  case albumsChecked([AlbumCheck])
  /// Whether every photo was verified.
  case inspected(allVerified: Bool)
  /// Another run has the output folder, and that was to be no fault (`--lock=skip`).
  case skipped(RunError)
  case usage(UsageError)
  case failed(RunError)
}
