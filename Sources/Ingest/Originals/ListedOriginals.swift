import IngestCore

/// Knows which files under `originals/` a manifest speaks for.
///
/// A photo that failed this time keeps what an earlier run has archived of it: its original and its side files. What was
/// set aside of one that is not verified now may be the only good copy left.
struct ListedOriginals: Sendable {
  private var listed = PathSet()
  private var failed = PathSet()
  /// Names of earlier contents of photos that are not verified, with zeros for their marks.
  private var doubtful = PathSet()

  /// Whether a row whose manifest was made without originals speaks for the file of its name all the same.
  private let takesEveryRow: Bool

  /// - Parameter takesEveryRow: false where a row must say that it has an original. `--prune` is careful and takes all.
  init(takesEveryRow: Bool) {
    self.takesEveryRow = takesEveryRow
  }

  mutating func add(_ row: ManifestRow) {
    if takesEveryRow || row.original != nil || row.sha256 == nil { listed.insert(row.path.bytes) }
    for file in row.sideFiles { listed.insert(file.path.bytes) }
    if row.status != .verified {
      for path in [row.path] + row.sideFiles.map(\.path) {
        for length in MarkedName.lengths {
          let mark = String(repeating: "0", count: length)
          doubtful.insert(path.renamed(MarkedName.make(Array(path.name), mark: mark)).bytes)
        }
      }
    }
    if row.sha256 == nil {
      failed.insert(row.path.bytes)
      failed.insert(row.path.withoutExtension.bytes)
    }
  }

  /// Whether the file at a path below `originals/` belongs to a row.
  func contains(_ path: RelativePath) -> Bool {
    listed.contains(path.bytes) || SideFiles.isNamed(path) && failed.contains(path.withoutExtension.bytes)
  }

  /// Whether the file stays although `contains` may not hold.
  func keeps(_ path: RelativePath) -> Bool {
    if contains(path) { return true }
    return MarkedName.zeroed(Array(path.name)).map { doubtful.contains(path.renamed($0).bytes) } ?? false
  }
}
