import IngestCore
import IngestFiles

/// Deletes what the finished manifest no longer lists from `originals/`, and nothing else.
struct OriginalsPrune {
  let output: OutputFolder
  let report: IngestRun.Report

  /// Refuses to prune where no run has been yet: what lies under `originals/` there is somebody's own.
  ///
  /// The catalogue is a mark as good as the manifest: a first run that was killed may be repeated as it was. Makes
  /// nothing.
  static func refuseFirstRun(_ configuration: RunConfiguration) throws(RunError) {
    guard configuration.prunesOriginals, let output = try? SourceFolder.open(configuration.output),
      output.size(of: RelativePath("manifest.jsonl")) == nil,
      output.size(of: RelativePath(".photo-ingest/\(CatalogueFile.name)")) == nil,
      let originals = try? output.subfolder(RelativePath.originalsFolder)
    else { return }
    let hasFiles = Guarded(false)
    let hasEnough = { hasFiles.withLock { $0 } }
    let unread = originals.listFiles(isCancelled: hasEnough) { _ in hasFiles.withLock { $0 = true } }
    guard hasEnough() || !unread.isEmpty else { return }
    throw .outputUnusable(
      FileError(
        path: configuration.output,
        operation: "holds files under originals/ that no run has written, and --prune would delete them; choose "
          + "another folder, or run once without --prune", errno: 0))
  }

  /// Removes the files and returns how many. The run is complete by now: what cannot be removed is only said.
  func run(control: CollectionControl) throws(RunError) -> Int {
    var listed = ListedOriginals(takesEveryRow: true)
    _ = try FinishedManifest(directory: output.path).read { row throws(RunError) in
      listed.add(row)
      return !control.isCancelled
    }
    if control.isCancelled { return 0 }
    var pruned = 0
    do throws(FileError) {
      guard let originals = try output.reading(RelativePath.originalsFolder) else { return 0 }
      let folder = try output.beneath(RelativePath.originalsFolder)
      let known = listed
      let stray = Guarded<[RelativePath]>([])
      let isCancelled = { control.isCancelled }
      let unread = originals.listFiles(isCancelled: isCancelled) { path in
        if !known.keeps(path) { stray.withLock { $0.append(path) } }
      }
      if let unread = unread.first {
        let path = unread.path(below: RelativePath.originalsFolder).bytes
        throw FileError(path: path, operation: unread.reason, errno: 0)
      }
      for path in stray.withLock({ $0 }) {
        try folder.removeFile(path)
        pruned += 1
        report(.message(.info, "pruned \(path.original.display)"))
      }
    } catch {
      report(.message(.warning, "originals/ could not be pruned: \(error.description)"))
    }
    return pruned
  }
}
