import Catalogue
import IngestCore
import IngestFiles

/// Gives an output back what its manifest lists when a policy stops the run before there is a new one.
///
/// Belongs to the run's thread. After a kill or a full disk the results of photos that were read stay instead, for the
/// next run to go on with; a policy's stop is somebody's wish that nothing be changed.
struct StandingResults {
  private let output: OutputFolder
  private let catalogue: Catalogue
  private let census: ThumbnailCensus
  private let originals: OriginalKeeper?
  private let report: IngestRun.Report

  /// Nil when no policy may stop the run, and where there is no manifest whose outputs could be spoiled.
  init?(
    _ configuration: RunConfiguration, output: OutputFolder, catalogue: Catalogue, census: ThumbnailCensus,
    originals: OriginalKeeper?, report: @escaping IngestRun.Report
  ) {
    guard configuration.errorPolicy != .continue, output.hasFile("manifest.jsonl") else { return nil }
    self.output = output
    self.catalogue = catalogue
    self.census = census
    self.originals = originals
    self.report = report
    originals?.rememberChanges()
  }

  /// Undoes what the run has done to originals and thumbnails. What cannot be undone is only said.
  func putBack(_ plan: RunPlan, _ taker: TurnTaker) {
    do {
      // First, so that a kill on the way leaves no row that speaks of outputs which are gone.
      try forgetOutputs(plan, taker)
      originals?.undo()
      try output.sweepThumbnails(keeping: wasThere)
    } catch {
      report(.message(.warning, "results of the stopped run stay: \(error)"))
    }
  }

  /// Lets the catalogue know that photos which were read have no outputs: the next run makes them.
  private func forgetOutputs(_ plan: RunPlan, _ taker: TurnTaker) throws(CatalogueError) {
    var photos: [KnownPhoto] = []
    for turn in plan.loads where taker.ledger.entry(turn: turn) != nil {
      guard var photo = try catalogue.photo(at: plan.candidates[turn].path.bytes) else { continue }
      guard photo.thumbnails > 0 || originals != nil else { continue }
      photo.thumbnails = max(1, photo.thumbnails)
      photo.thumbnailKey = nil
      photos.append(photo)
    }
    try catalogue.update(photos)
  }

  /// Whether a thumbnail lay there before the run.
  private func wasThere(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.count > 1, let size = Int(parts[1]), let key = ListedThumbnails.key(path) else { return true }
    return census.content(of: key, in: [size]).count > 0
  }
}
