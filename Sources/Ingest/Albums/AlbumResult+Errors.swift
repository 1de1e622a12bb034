import IngestCore
import IngestFiles

/// Collects what is wrong with an album.
extension AlbumResult {
  /// Looks into the album's manifest for what the run itself has not kept.
  init(_ album: Album, _ outcome: Result<RunSummary, RunError>) {
    switch outcome {
    case .success(let summary):
      self.init(album: album, outcome: outcome, counts: summary.totals, errors: Self.errors(of: summary, album))
    case .failure(let error):
      self.init(
        album: album, outcome: outcome,
        counts: PrometheusFile(directory: album.output).statedTotals ?? ManifestTotals(),
        errors: [Self.error(error)])
    }
  }

  private static func error(_ error: RunError) -> AlbumError {
    guard case .stoppedByPolicy(let photo, let failure, _, _) = error else {
      return AlbumError(code: error.word, message: error.placelessReason)
    }
    return AlbumError(code: failure.code.rawValue, message: error.placelessReason, path: photo)
  }

  private static func errors(of summary: RunSummary, _ album: Album) -> [AlbumError] {
    var errors: [AlbumError] = []
    let count = summary.totals.damaged + summary.totals.failed
    if summary.problems.count >= count {
      errors = summary.problems.map(AlbumError.init)
    } else {
      // A summary keeps the first of them; the manifest has them all.
      _ = try? FinishedManifest(directory: album.output).read { row throws(RunError) in
        guard row.status != .verified else { return true }
        errors.append(AlbumError(RowSummary(line: row.line, index: row.index)))
        return errors.count < count
      }
    }
    if summary.unreadableFolders > 0 {
      let folders = summary.unreadableFolders == 1 ? "1 folder" : "\(summary.unreadableFolders) folders"
      errors.append(AlbumError(code: FailureCode.unreadable.rawValue, message: "\(folders) could not be read"))
    }
    return errors
  }
}

extension AlbumError {
  fileprivate init(_ row: RowSummary) {
    self.init(
      code: row.error?.code.rawValue ?? row.status.rawValue, message: row.error?.message ?? "", index: row.index,
      path: row.path)
  }
}
