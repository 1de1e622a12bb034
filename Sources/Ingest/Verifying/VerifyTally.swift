import IngestCore

/// Counts what a verification finds, and tells of it.
struct VerifyTally {
  let control: CollectionControl
  let report: OutputVerification.Report
  var summary = VerifySummary()

  mutating func tell(_ finding: VerifyFinding) {
    summary.findings[finding.kind, default: 0] += 1
    report(.finding(finding))
  }

  func finish(_ started: ContinuousClock.Instant) -> VerifySummary {
    var summary = summary
    summary.elapsed = ContinuousClock.now - started
    return summary
  }
}
