import IngestCore
import IngestFiles

/// Holds what a first pass over the manifest tells: that it is whole, how much there is to do, and which paths it lists.
struct VerifyPlan {
  let summary: ManifestReader.Summary
  let sizes: ThumbnailSizes
  /// Thumbnails, by their paths below the output folder.
  let thumbnails: PathSet
  let originals: ListedOriginals
  /// Rows of photos that an earlier row has.
  let repeated: Set<Int>
  /// Sources, by their paths below the source folder; empty when they are not looked at.
  let sources: PathSet
  let files: Int
  let thumbnailOwners: ThumbnailOwners

  init(_ manifest: FinishedManifest, hasSources: Bool) throws(RunError) {
    var sizes = ThumbnailSizes()
    var thumbnails = PathSet()
    var originals = ListedOriginals(takesEveryRow: false)
    var sources = PathSet()
    var repeated: Set<Int> = []
    var files = 0
    var owners = ThumbnailOwners()
    let summary = try manifest.read(checksForm: true) { row throws(RunError) in
      owners.add(row)
      sizes.add(row: row.value)
      for thumbnail in row.thumbnails { thumbnails.insert(thumbnail.path.bytes) }
      originals.add(row)
      if !sources.insert(row.path.bytes) { repeated.insert(row.index) }
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
    self.sources = hasSources ? sources : PathSet()
    self.repeated = repeated
    self.files = files
    thumbnailOwners = owners
  }
}
