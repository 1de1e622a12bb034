import IngestCore

/// Makes a manifest anew while the rows go by, and holds it against the one that stands in the output.
struct DerivedManifest {
  let format: ManifestFormat
  private var exporter: any ManifestExporting
  private var digest = SHA256Box()
  private var count: UInt64 = 0

  /// Nil for a format that is no pure function of the rows.
  init?(_ format: ManifestFormat, orderNamed order: String, sizes: ThumbnailSizes) {
    switch format {
    case .json: exporter = JSONManifestExporter(orderNamed: order)
    case .csv: exporter = CSVExporter(thumbnailSizes: sizes)
    case .sha256: exporter = SHA256SumsExporter()
    case .bagit, .prometheus: return nil
    }
    self.format = format
    add(exporter.begin())
  }

  mutating func add(_ row: ManifestRow) {
    add(exporter.row(line: row.line, value: row.value))
  }

  /// The file as it should be.
  mutating func finish(totals: ManifestTotals) -> ListedFile {
    add(exporter.end(totals: totals))
    return ListedFile(path: RelativePath(format.fileName), bytes: count, sha256: digest.hex)
  }

  private mutating func add(_ bytes: [UInt8]) {
    digest.update(bytes)
    count += UInt64(bytes.count)
  }
}
