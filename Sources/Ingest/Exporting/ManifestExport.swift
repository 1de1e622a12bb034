public import IngestCore
import IngestFiles

/// Turns `manifest.jsonl` of a finished output into another format. A bag is made by `BagExport`.
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

  /// Writes the whole export and returns how many rows the format could not carry.
  ///
  /// The manifest is held against its own counts and checksum before the first byte goes out. Blocks the calling thread.
  @available(*, noasync, message: "export blocks its thread; call it from a thread of your own")
  public func export(to destination: Destination) throws(RunError) -> Int {
    if format == .prometheus {
      try destination.put(PrometheusFile(directory: directory).exported())
      return 0
    }
    let manifest = FinishedManifest(directory: directory)
    var sizes = ThumbnailSizes()
    let summary = try manifest.read { row throws(RunError) in
      sizes.add(row: row.value)
      return true
    }
    guard let summary, let exporter = exporter(orderNamed: summary.order, sizes: sizes) else { return 0 }
    return try destination.fill { write throws(RunError) in
      try Self.pour(manifest, exporter, summary.totals, write: write)
    }
  }

  /// Sends every piece of the export on, until `write` says false; returns how many rows gave no piece.
  static func pour(
    _ manifest: FinishedManifest, _ exporter: any ManifestExporting, _ totals: ManifestTotals,
    write: Destination.Write
  ) throws(RunError) -> Int {
    var exporter = exporter
    var left = 0
    guard try write(exporter.begin()) else { return 0 }
    let end = try manifest.read { row throws(RunError) in
      let piece = exporter.row(line: row.line, value: row.value)
      if piece.isEmpty { left += 1 }
      return try write(piece)
    }
    if end != nil { _ = try write(exporter.end(totals: totals)) }
    return left
  }

  private func exporter(orderNamed order: String, sizes: ThumbnailSizes) -> (any ManifestExporting)? {
    switch format {
    case .json: JSONManifestExporter(orderNamed: order)
    case .csv: CSVExporter(thumbnailSizes: sizes)
    case .sha256: SHA256SumsExporter()
    case .bagit, .prometheus: nil
    }
  }
}

extension ManifestExport.Destination {
  /// Takes a piece; false when no more is wanted.
  typealias Write = ([UInt8]) throws(RunError) -> Bool

  /// Opens the destination for `pour` and closes it behind it; a file gets its name when all of it is there.
  func fill(_ pour: (Write) throws(RunError) -> Int) throws(RunError) -> Int {
    switch self {
    case .pieces(let write): return try pour { piece throws(RunError) in write(piece) }
    case .file(let path):
      let file = try writing { () throws(FileError) in try PendingFile.beside(path) }
      let left = try pour { piece throws(RunError) in
        try writing { () throws(FileError) in try file.append(piece) }
        return true
      }
      try writing { () throws(FileError) in try file.commit() }
      return left
    }
  }

  /// Writes all at once; a file can then be read by everybody.
  func put(_ bytes: [UInt8]) throws(RunError) {
    switch self {
    case .pieces(let write): _ = write(bytes)
    case .file(let path):
      try writing { () throws(FileError) in
        let file = try PendingFile.beside(path)
        try file.append(bytes)
        try file.openToReaders()
        try file.commit()
      }
    }
  }
}
