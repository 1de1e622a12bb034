import Catalogue
import IngestCore
import IngestFiles

/// Fills a new catalogue from the manifest, so that a lost catalogue does not cost a reading of every photo.
///
/// A manifest says neither inode nor ctime: photos of the same size and mtime are taken for the same, once; the next run
/// knows both again. Rows that another program has written, or that were made with other options, are not taken.
struct ManifestRecovery {
  let output: OutputFolder
  let configuration: RunConfiguration
  let lastOptions: String?
  let report: IngestRun.Report

  private static let batch = 1000

  /// Reads the whole manifest. One that cannot be read is a warning: everything is new then.
  func fill(_ catalogue: Catalogue) throws(RunError) {
    var waiting: [FreshPhoto] = []
    func store() throws(RunError) {
      try remembering { () throws(CatalogueError) in try catalogue.store(waiting) }
      waiting.removeAll(keepingCapacity: true)
    }
    do {
      // Held against its own checksum first: half a manifest is none.
      let manifest = FinishedManifest(directory: output.path)
      _ = try manifest.read { _ throws(RunError) in true }
      _ = try manifest.read { row throws(RunError) in
        if let photo = photo(of: row) { waiting.append(photo) }
        if waiting.count >= Self.batch { try store() }
        return true
      }
      try store()
    } catch {
      guard case .manifestUnusable(_, let reason) = error else { throw error }
      report(.message(.warning, "manifest.jsonl cannot be used (\(reason)); every photo is read again"))
    }
  }

  private func photo(of row: ManifestRow) -> FreshPhoto? {
    guard let known = AssetRow(line: row.line), let thumbnailBytes = Self.thumbnailBytes(of: known) else { return nil }
    let encoded = ManifestEncoder(order: configuration.order).row(known)
    return FreshPhoto(
      path: known.path.bytes, status: known.status, error: known.error?.code, options: options(of: known),
      stamp: stamp(of: known), thumbnails: known.thumbnails.count,
      thumbnailBytes: thumbnailBytes,
      thumbnailKey: known.thumbnails.first.flatMap { ListedThumbnails.key($0.path) }, captured: known.captured?.local,
      line: StoredLine(bytes: encoded.bytes, indexOffset: encoded.indexOffset))
  }

  /// The bytes of a row's thumbnails; nil when they are more than any run has written: the figures are foreign.
  private static func thumbnailBytes(of row: AssetRow) -> Int? {
    var sum = 0
    for thumbnail in row.thumbnails {
      guard thumbnail.bytes <= Int(UInt32.max) - sum else { return nil }
      sum += thumbnail.bytes
    }
    return sum
  }

  private func stamp(of row: AssetRow) -> FileStamp? {
    guard let size = row.bytes, let modified = row.modified.flatMap({ FileIdentity.time(rfc3339: $0) }) else {
      return nil
    }
    return FileStamp(
      size: size, modifiedSeconds: modified.seconds, modifiedNanoseconds: modified.nanoseconds, place: nil)
  }

  /// This run's options where the row must have been made with them.
  ///
  /// Without word of the last run's options the name of a thumbnail tells, and nothing else does: a photo that was too
  /// large may not be so now, and one without an original may be wanted in the archive.
  private func options(of row: AssetRow) -> String {
    let recipe = RowRecipe(configuration)
    if let lastOptions { return lastOptions == recipe.text ? recipe.text(endingIn: row.error?.code) : lastOptions }
    guard row.status == .verified, configuration.originals == nil, let first = row.thumbnails.first,
      let sha256 = row.sha256
    else { return "unknown" }
    let pictures = ThumbnailPath.recipe(sizes: configuration.thumbnailSizes, decoding: configuration.decoding)
    let id = ThumbnailPath.id(path: row.path, sha256: sha256, recipe: pictures)
    return ThumbnailPath.path(id: id, size: first.size) == first.path ? recipe.text(endingIn: nil) : "unknown"
  }
}
