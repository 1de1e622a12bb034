public import IngestCore
import IngestFiles

/// Turns `manifest.jsonl` of a finished output into another format.
public struct ManifestExport: Sendable {
  /// Where the bytes go.
  public enum Destination: Sendable {
    /// Called with pieces, in order; false ends the export quietly (a reader that went away).
    case pieces(@Sendable ([UInt8]) -> Bool)
    /// A file of its own, written aside and renamed into place.
    case file([UInt8])
  }

  /// The output folder, as exact bytes.
  public let directory: [UInt8]
  public let format: ManifestFormat

  public init(directory: [UInt8], format: ManifestFormat) {
    self.directory = directory
    self.format = format
  }

  /// Writes the whole export. The manifest is held against its own counts and checksum before the first byte goes out.
  @available(*, noasync, message: "export blocks its thread; call it from a thread of your own")
  public func export(to destination: Destination) throws(RunError) {
    let manifest = FinishedManifest(directory: directory)
    var sizes = ThumbnailSizes()
    let summary = try manifest.read { row throws(RunError) in
      sizes.add(row: row.value)
      return true
    }
    guard let summary, var exporter = exporter(orderNamed: summary.order, sizes: sizes) else { return }

    switch destination {
    case .pieces(let write):
      guard write(exporter.begin()) else { return }
      let again = try manifest.read { row throws(RunError) in
        write(exporter.row(line: row.line, value: row.value))
      }
      if again != nil { _ = write(exporter.end(totals: summary.totals)) }
    case .file(let path):
      let file = try writing { () throws(FileError) in try PendingFile.beside(path) }
      try writing { () throws(FileError) in try file.append(exporter.begin()) }
      _ = try manifest.read { row throws(RunError) in
        try writing { () throws(FileError) in
          try file.append(exporter.row(line: row.line, value: row.value))
        }
        return true
      }
      try writing { () throws(FileError) in
        try file.append(exporter.end(totals: summary.totals))
        try file.commit()
      }
    }
  }

  private func exporter(orderNamed order: String, sizes: ThumbnailSizes) -> (any ManifestExporting)? {
    switch format {
    case .json: JSONManifestExporter(orderNamed: order)
    case .csv: CSVExporter(thumbnailSizes: sizes)
    case .sha256: SHA256SumsExporter()
    case .bagit, .prometheus: nil
    }
  }

  private func writing<Value>(_ body: () throws(FileError) -> Value) throws(RunError) -> Value {
    do {
      return try body()
    } catch {
      throw .outputUnusable(error)
    }
  }
}
