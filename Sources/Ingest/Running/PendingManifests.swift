import IngestCore
import IngestFiles

/// Writes `manifest.jsonl` and the manifests asked for beside it, all at once, under temporary names.
final class PendingManifests {
  /// One manifest other than `manifest.jsonl` on its way.
  private struct Derived {
    var exporter: any ManifestExporting
    let file: PendingFile
  }

  private let output: OutputFolder
  private let encoder: ManifestEncoder
  private let main: PendingFile
  private var derived: [Derived] = []
  /// Whether an exporter looks at a row's values; the others copy its line.
  private let readsValues: Bool

  init(
    output: OutputFolder, order: AssetOrder, formats: Set<ManifestFormat>, thumbnailSizes: ThumbnailSizes
  ) throws(FileError) {
    self.output = output
    encoder = ManifestEncoder(order: order)
    readsValues = !formats.subtracting([.json]).isEmpty
    main = try output.beginFile("manifest.jsonl")
    for format in ManifestFormat.allCases where formats.contains(format) {
      let exporter: any ManifestExporting
      switch format {
      case .json: exporter = JSONManifestExporter(order: order)
      case .csv: exporter = CSVExporter(thumbnailSizes: thumbnailSizes)
      case .sha256: exporter = SHA256SumsExporter()
      case .bagit, .prometheus: continue
      }
      derived.append(Derived(exporter: exporter, file: try output.beginFile(format.fileName)))
    }
    try main.append(encoder.header())
    try forEachDerived { $0.begin() }
  }

  /// Adds a row's line.
  func append(_ line: [UInt8]) throws(FileError) {
    try main.append(line)
    guard !derived.isEmpty else { return }
    // The line is our own encoder's, so it can be read.
    let value = readsValues ? (try? JSONReader().read(line)) ?? .null : .null
    try forEachDerived { $0.row(line: line, value: value) }
  }

  /// Ends the files and gives them their names, `manifest.jsonl` last.
  func commit(totals: ManifestTotals) throws(FileError) {
    try forEachDerived { $0.end(totals: totals) }
    try main.append(encoder.end(totals: totals, sha256: main.checksum))
    try output.syncFolders()
    for manifest in derived { try manifest.file.commit() }
    try main.commit()
  }

  /// Drops what is not committed; does nothing to files that are.
  func abandon() {
    for manifest in derived { manifest.file.abandon() }
    main.abandon()
  }

  private func forEachDerived(_ bytes: (inout any ManifestExporting) -> [UInt8]) throws(FileError) {
    for index in derived.indices {
      try derived[index].file.append(bytes(&derived[index].exporter))
    }
  }
}
