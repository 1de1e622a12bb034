import IngestCore

/// Knows which files under `originals/` a manifest speaks for.
///
/// A photo that failed this time keeps what an earlier run has archived of it: its original and its side files.
struct ListedOriginals: Sendable {
  private var listed = PathSet()
  private var failed = PathSet()

  mutating func add(_ row: ManifestRow) {
    listed.insert(row.path.bytes)
    for file in row.sideFiles { listed.insert(file.path.bytes) }
    if row.sha256 == nil {
      failed.insert(row.path.bytes)
      failed.insert(row.path.withoutExtension.bytes)
    }
  }

  /// Whether the file at a path below `originals/` belongs to a row.
  func contains(_ path: RelativePath) -> Bool {
    listed.contains(path.bytes) || SideFiles.isNamed(path) && failed.contains(path.withoutExtension.bytes)
  }
}
