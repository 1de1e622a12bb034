import Ingest

/// Holds everything a command can come to.
enum Outcome: Sendable {
  case done
  case run(RunSummary)
  case listed(CandidateSummary)
  case checked(VerifySummary)
  /// Whether every photo was verified.
  case inspected(allVerified: Bool)
  case usage(UsageError)
  case failed(RunError)
}
