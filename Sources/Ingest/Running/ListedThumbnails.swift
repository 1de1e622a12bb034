import IngestFiles

/// Remembers which thumbnails the new manifest lists, in 8 bytes a photo.
///
/// Two ids that agree in their first sixteen digits count as one: a sweep then keeps a stale file, never the reverse.
struct ListedThumbnails {
  private var ids: Set<UInt64> = []

  /// Remembers the id of a file below the output folder: `thumbnails/256/ab/<id>.jpg`.
  mutating func insert(path: String) {
    if let key = Self.key(path) { ids.insert(key) }
  }

  /// Remembers an id by its first sixteen digits.
  mutating func insert(key: UInt64) {
    ids.insert(key)
  }

  /// Whether a file's id is remembered.
  func contains(path: String) -> Bool {
    Self.key(path).map { ids.contains($0) } ?? false
  }

  /// The first sixteen digits of a thumbnail's name, as a number.
  static func key(_ path: String) -> UInt64? {
    path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { ThumbnailCensus.key(ofName: $0) }
  }
}
