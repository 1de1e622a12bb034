import IngestCore
import IngestFiles

/// Gives the rows their places and writes the manifests; `manifest.jsonl` is renamed into place last: the commit.
struct Settlement {
  let configuration: RunConfiguration
  let output: OutputFolder
  let report: IngestRun.Report

  /// Writes every manifest aside, renames them, then sweeps the thumbnails that no row lists.
  ///
  /// Returns the totals, and the first photos that are not verified.
  func settle(_ taker: TurnTaker) throws(FileError) -> (totals: ManifestTotals, problems: [RowSummary]) {
    let spool = taker.spool
    let manifests = try PendingManifests(
      output: output, order: configuration.order, formats: configuration.manifests.union(output.standingManifests),
      thumbnailSizes: taker.thumbnailSizes)
    var problems: [RowSummary] = []
    do throws(FileError) {
      for (index, turn) in spool.settledOrder().enumerated() {
        guard let line = try spool.line(turn: turn, index: index) else { continue }
        try manifests.append(line)
        let isProblem = spool.status(turn: turn) != .verified && problems.count < RunSummary.keptProblems
        let isToTell = index >= taker.told
        guard isProblem || isToTell else { continue }
        let summary = RowSummary(line: line, index: index)
        if isProblem { problems.append(summary) }
        if isToTell { tell(line, summary) }
      }
      try manifests.commit(totals: spool.totals)
    } catch {
      manifests.abandon()
      throw error
    }
    sweep(taker.listedThumbnails)
    return (spool.totals, problems)
  }

  /// Removes what the new manifest does not list. The run is complete by now: what cannot be swept is only said.
  private func sweep(_ listed: ListedThumbnails) {
    do {
      try output.sweepThumbnails(keeping: { listed.contains(path: $0) })
    } catch {
      report(.message(.warning, "old thumbnails stay: \(error.description)"))
    }
  }

  /// Tells a row whose place was not known before, its stand-in first.
  private func tell(_ line: [UInt8], _ row: RowSummary) {
    if let preview = row.preview, configuration.settlesIndexLate {
      report(.degraded(index: row.index, path: row.path, preview: preview))
    }
    report(.asset(line: line, row: row))
  }
}
