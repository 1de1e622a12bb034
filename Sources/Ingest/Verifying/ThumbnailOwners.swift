import IngestCore

/// Tells whether a row lists the thumbnails of its own photo: their names hold a hash of its path and content.
///
/// Every row is shown once before one is judged. Names that belong to no row at all may come from a program of another
/// version; they are believed unless some row of the same manifest has the names that it should.
struct ThumbnailOwners {
  /// All thumbnails that the rows may list, by their paths.
  private var owned = PathSet()
  private var hasOwnNames = false

  mutating func add(_ row: ManifestRow) {
    guard let listed = Self.listed(row) else { return }
    for paths in Self.possible(row, sizes: listed.sizes) {
      for path in paths { owned.insert(Array(path.utf8)) }
      if paths == listed.paths { hasOwnNames = true }
    }
  }

  /// Whether a row lists thumbnails of another photo, or of other content of its own.
  func areForeign(in row: ManifestRow) -> Bool {
    guard let listed = Self.listed(row) else { return false }
    if Self.possible(row, sizes: listed.sizes).contains(listed.paths) { return false }
    return hasOwnNames || listed.paths.contains { owned.contains(Array($0.utf8)) }
  }

  /// Nil for a row without thumbnails, or whose thumbnails are no list of files, and for an address: rows show only a part
  /// of it.
  private static func listed(_ row: ManifestRow) -> (sizes: [Int], paths: [String])? {
    guard let thumbnails = row.value["thumbnails"]?.arrayValue, !thumbnails.isEmpty, !row.path.isAddress else {
      return nil
    }
    let sizes = thumbnails.compactMap { $0["size"]?.integerValue.flatMap { Int(exactly: $0) } }
    let paths = thumbnails.compactMap { $0["path"]?.stringValue }
    guard sizes.count == thumbnails.count, paths.count == thumbnails.count else { return nil }
    return (sizes, paths)
  }

  /// Which thumbnails a row of these sizes may list, in the order of the sizes: one list for each way to decode.
  private static func possible(_ row: ManifestRow, sizes: [Int]) -> [[String]] {
    guard let sha256 = row.sha256 else { return [] }
    return [Decoding.scaled, .full].map { decoding in
      let recipe = ThumbnailPath.recipe(sizes: sizes, decoding: decoding)
      let id = ThumbnailPath.id(path: row.path, sha256: sha256, recipe: recipe)
      return sizes.map { ThumbnailPath.path(id: id, size: $0) }
    }
  }
}
