import IngestCore
import IngestFiles

/// Holds what a first pass over the manifest tells: that it is whole, how much there is to do, and which paths it lists.
struct VerifyPlan {
  let summary: ManifestReader.Summary
  let sizes: ThumbnailSizes
  /// Thumbnails, by their paths below the output folder.
  let thumbnails: PathSet
  let originals: ListedOriginals
  /// Sources, by their paths below the source folder; empty when they are not looked at.
  let sources: PathSet
  let files: Int

  init(_ manifest: FinishedManifest, hasSources: Bool) throws(RunError) {
    var sizes = ThumbnailSizes()
    var thumbnails = PathSet()
    var originals = ListedOriginals()
    var sources = PathSet()
    var files = 0
    let summary = try manifest.read { row throws(RunError) in
      sizes.add(row: row.value)
      for thumbnail in row.thumbnails { thumbnails.insert(thumbnail.path.bytes) }
      originals.add(row)
      if hasSources { sources.insert(row.path.bytes) }
      let content = row.content.count
      files += row.thumbnails.count + (row.original == nil ? 0 : content) + (hasSources ? content : 0)
      return true
    }
    // Nothing ends the reading early.
    guard let summary else { throw .cancelled }
    self.summary = summary
    self.sizes = sizes
    self.thumbnails = thumbnails
    self.originals = originals
    self.sources = sources
    self.files = files
  }
}
