import IngestCore
import IngestFiles

/// Knows what a bag of a finished output holds, before anything of it is written: names, sizes, checksums.
struct BagPlan {
  /// One file of the payload.
  struct Entry {
    /// Where it is in the source folder.
    let source: RelativePath
    /// Where it goes in the bag.
    let place: RelativePath
    let sha256: String
    let bytes: UInt64?

    var isRenamed: Bool { place.bytes != Array("data/".utf8) + source.bytes }
  }

  let manifest: FinishedManifest
  /// Of `manifest-sha256.txt`.
  let manifestChecksum: String
  /// Of `original-names.jsonl`; nil when no file is renamed.
  let namesChecksum: String?
  let files: Int
  let bytes: UInt64
  /// Rows that no bag can hold: without a checksum there is nothing to hold a file against.
  let leftOut: Int

  /// Reads the manifest once, from its first line to its checksum.
  init(_ manifest: FinishedManifest) throws(RunError) {
    self.manifest = manifest
    let lines = SHA256Box()
    let names = SHA256Box()
    var files = 0
    var renamed = 0
    var bytes: UInt64 = 0
    var leftOut = 0
    try Self.showEntries(in: manifest, leftOut: &leftOut) { entry throws(RunError) in
      files += 1
      bytes = bytes.addingReportingOverflow(entry.bytes ?? 0).partialValue
      lines.update(BagText.line(sha256: entry.sha256, path: entry.place))
      if entry.isRenamed {
        renamed += 1
        names.update(BagText.originalName(bagPath: entry.place, path: entry.source))
      }
      return true
    }
    self.files = files
    self.bytes = bytes
    self.leftOut = leftOut
    manifestChecksum = lines.hex
    namesChecksum = renamed > 0 ? names.hex : nil
  }

  /// Shows every file of the payload to `body`, in the order of the manifest, until it says false.
  func showEntries(_ body: (Entry) throws(RunError) -> Bool) throws(RunError) {
    var leftOut = 0
    try Self.showEntries(in: manifest, leftOut: &leftOut, body)
  }

  private static func showEntries(
    in manifest: FinishedManifest, leftOut: inout Int, _ body: (Entry) throws(RunError) -> Bool
  ) throws(RunError) {
    var names = BagNames()
    var missed = 0
    _ = try manifest.read { row throws(RunError) in
      if row.content.isEmpty { missed += 1 }
      for file in row.content {
        guard let sha256 = file.sha256 else { continue }
        guard file.path.isContained else {
          throw .bagUnusable(path: file.path, reason: "is listed under a path that leads out of the folder")
        }
        // Photos share a side file; the bag has it once.
        guard let place = names.place(of: file.path) else { continue }
        let entry = Entry(source: file.path, place: place, sha256: sha256, bytes: file.bytes)
        guard try body(entry) else { return false }
      }
      return true
    }
    leftOut = missed
  }
}
