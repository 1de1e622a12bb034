import IngestCore
import IngestFiles

/// Deletes what the finished manifest no longer lists from `originals/`, and nothing else.
struct OriginalsPrune {
  let output: OutputFolder
  let report: IngestRun.Report

  /// Removes the files. The run is complete by now: what cannot be removed is only said.
  func run(control: CollectionControl) throws(RunError) {
    var listed = ListedOriginals()
    _ = try FinishedManifest(directory: output.path).read { row throws(RunError) in
      listed.add(row)
      return !control.isCancelled
    }
    if control.isCancelled { return }
    do throws(FileError) {
      guard let originals = try output.reading(RelativePath.originalsFolder) else { return }
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
      let paths = stray.withLock { $0 }
      for path in paths { try folder.removeFile(path) }
      if !paths.isEmpty { report(.message(.info, "\(paths.count) files pruned from originals/")) }
    } catch {
      report(.message(.warning, "originals/ could not be pruned: \(error.description)"))
    }
  }
}
