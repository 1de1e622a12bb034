/// Remembers which thumbnails the new manifest lists, in 8 bytes a photo.
///
/// Two ids that agree in their first sixteen digits count as one: a sweep then keeps a stale file, never the reverse.
struct ListedThumbnails {
  private var ids: Set<UInt64> = []

  mutating func insert(id: String) {
    if let key = Self.key(id) { ids.insert(key) }
  }

  /// Whether a file below the output folder (`thumbnails/256/ab/<id>.jpg`) is listed.
  func contains(path: String) -> Bool {
    guard let name = path.split(separator: "/").last, let key = Self.key(name) else { return false }
    return ids.contains(key)
  }

  private static func key(_ id: some StringProtocol) -> UInt64? {
    UInt64(id.prefix(16), radix: 16)
  }
}
