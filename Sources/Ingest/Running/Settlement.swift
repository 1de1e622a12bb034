import Catalogue
import IngestCore
import IngestFiles

/// Gives the rows their places and writes the manifests; `manifest.jsonl` is renamed into place last: the commit.
///
/// Manifests that are what they would be are left alone.
struct Settlement {
  let configuration: RunConfiguration
  let output: OutputFolder
  let catalogue: Catalogue
  let plan: RunPlan
  let census: ThumbnailCensus
  /// Folders that could not be read.
  let unread: [UnreadFolder]
  let report: IngestRun.Report

  /// Holds what is known when a run is over.
  struct Result {
    var totals: ManifestTotals
    /// The first photos that are not verified.
    var problems: [RowSummary] = []
    /// Tells one set of photos that are not verified, and of folders that could not be read, from another.
    var problemMark: String
    /// Whether the manifests stayed as they were.
    var isCurrent: Bool
  }

  /// Writes every manifest aside, renames them, sweeps the thumbnails that no row lists, and lets the catalogue know.
  func settle(_ taker: TurnTaker) throws(RunError) -> Result {
    try writing { () throws(FileError) in try output.syncFolders() }
    let order = taker.ledger.settledOrder()
    let formats = configuration.manifests.union(output.standingManifests).filter(\.isKeptCurrent)
    let rows = rowsMark(order)
    let state = ManifestState(output, configuration, formats: formats, rows: rows)
    let remembered = try remembering { () throws(CatalogueError) in try catalogue.setting(ManifestState.key) }
    let isCurrent = state.agrees(with: remembered)
    if !isCurrent { try write(taker, order, formats) }
    let problems = try tell(taker, order)
    if isSweepDue { sweep(taker.listedThumbnails) }

    let settled = isCurrent ? state : ManifestState(output, configuration, formats: formats, rows: rows)
    try remembering { () throws(CatalogueError) in
      try catalogue.settle(
        forgetting: plan.missing.map(\.photo.path), keeping: [ManifestState.key: settled.value])
    }
    return Result(
      totals: taker.ledger.totals, problems: problems, problemMark: problemMark(taker, order), isCurrent: isCurrent)
  }

  // MARK: Manifests

  private func write(_ taker: TurnTaker, _ order: [Int], _ formats: Set<ManifestFormat>) throws(RunError) {
    let manifests = try writing { () throws(FileError) in
      try PendingManifests(
        output: output, order: configuration.order, formats: formats, thumbnailSizes: taker.thumbnailSizes)
    }
    do throws(RunError) {
      for (index, turn) in order.enumerated() {
        guard let line = try taker.ledger.line(turn: turn, index: index) else { continue }
        try writing { () throws(FileError) in try manifests.append(line) }
      }
      try writing { () throws(FileError) in try manifests.commit(totals: taker.ledger.totals) }
    } catch {
      manifests.abandon()
      throw error
    }
  }

  /// Tells rows whose place was not known before, and returns the first that are not verified.
  private func tell(_ taker: TurnTaker, _ order: [Int]) throws(RunError) -> [RowSummary] {
    var problems: [RowSummary] = []
    for (index, turn) in order.enumerated() {
      guard let entry = taker.ledger.entry(turn: turn) else { continue }
      let isProblem = entry.status != .verified && problems.count < RunSummary.keptProblems
      let isToTell = configuration.settlesIndexLate && configuration.tells(entry)
      guard isProblem || isToTell, let line = try taker.ledger.line(turn: turn, index: index) else { continue }
      let summary = RowSummary(line: line, index: index, reason: entry.reason)
      if isProblem { problems.append(summary) }
      if isToTell { tell(line, summary) }
    }
    return problems
  }

  /// Tells a row whose place was not known before, its stand-in first.
  private func tell(_ line: [UInt8], _ row: RowSummary) {
    if row.reason != nil, let preview = row.preview {
      report(.degraded(index: row.index, path: row.path, preview: preview))
    }
    report(.asset(line: line, row: row))
  }

  // MARK: Thumbnails

  /// Whether something lies among the thumbnails that no row lists, or may.
  private var isSweepDue: Bool {
    census.hasLitter || census.count != plan.keptThumbnails || !plan.missing.isEmpty || !plan.loads.isEmpty
  }

  /// Removes what the new manifest does not list. The run is complete by now: what cannot be swept is only said.
  private func sweep(_ listed: ListedThumbnails) {
    do {
      try output.sweepThumbnails(keeping: { listed.contains(path: $0) })
    } catch {
      report(.message(.warning, "old thumbnails stay: \(error.description)"))
    }
  }

  // MARK: Marks

  /// Tells one sequence of photos from another. What their rows hold is watched by the catalogue.
  private func rowsMark(_ order: [Int]) -> String {
    var digest = SHA256Digest()
    for turn in order { digest.update(plan.candidates[turn].path.bytes + [0]) }
    return digest.finishHex()
  }

  private func problemMark(_ taker: TurnTaker, _ order: [Int]) -> String {
    var words: [[UInt8]] = unread.map { $0.path + " unread".utf8 }
    for turn in order {
      guard let entry = taker.ledger.entry(turn: turn), entry.status != .verified else { continue }
      words.append(
        plan.candidates[turn].path.bytes + " \(entry.status.rawValue) \(entry.error?.rawValue ?? "")".utf8)
    }
    guard !words.isEmpty else { return LastRun.noProblems }
    var digest = SHA256Digest()
    for word in words.sorted(by: ByteOrder.isLess) { digest.update(word + [0]) }
    return digest.finishHex()
  }
}
