import IngestCore
import IngestFiles
import PhotoCodecs

/// Puts the thumbnails of photos into a run's output folder, each under a name that only its photo and recipe give.
///
/// Safe from every thread.
struct ThumbnailStore: Sendable {
  let output: OutputFolder
  /// See `ThumbnailPath.recipe`.
  let recipe: String
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: hears what had to be moved out of the way, on the thread that writes.
  init(output: OutputFolder, configuration: RunConfiguration, warn: @escaping @Sendable (String) -> Void = { _ in }) {
    self.output = output
    self.warn = warn
    recipe = ThumbnailPath.recipe(sizes: configuration.thumbnailSizes, decoding: configuration.decoding)
  }

  /// Writes one photo's thumbnails; when this returns their content is safe, their names after `syncFolders`.
  ///
  /// Returns what the photo's row says of them, in the order given.
  func write(
    _ thumbnails: [EncodedThumbnail], of path: RelativePath, sha256: String
  ) throws(FileError) -> [AssetRow.Thumbnail] {
    let id = ThumbnailPath.id(path: path, sha256: sha256, recipe: recipe)
    var rows: [AssetRow.Thumbnail] = []
    rows.reserveCapacity(thumbnails.count)
    for thumbnail in thumbnails {
      let place = ThumbnailPath.path(id: id, size: thumbnail.size)
      try write(thumbnail.jpeg, to: place)
      rows.append(
        AssetRow.Thumbnail(
          size: thumbnail.size, width: thumbnail.width, height: thumbnail.height, bytes: thumbnail.jpeg.count,
          path: place, sha256: SHA256Digest.hex(of: thumbnail.jpeg)))
    }
    return rows
  }

  private func write(_ jpeg: [UInt8], to place: String) throws(FileError) {
    do {
      try output.write(jpeg, to: place)
    } catch  where error.isFolderInPlace {
      // Under such a name there is nothing of value to us, and every later run would end here.
      if let aside = try output.takeFolderAway(from: place) {
        warn("\(place) was a folder, with files in it; it is \(aside) now")
      }
      try output.write(jpeg, to: place)
    }
  }
}
