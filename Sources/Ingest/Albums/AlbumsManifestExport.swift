public import IngestCore

/// Turns the manifests of every album of an output folder into one export, in the order of `albums.json`.
///
/// `json` is one object for each album, with a key `album`; `csv` has one header and a column `album`; the names of `sha256`
/// lie below their albums'; the gauges of `prometheus` have a label `album`. Bags are made by `AlbumsBagExport`.
public struct AlbumsManifestExport: Sendable {
  /// The folder that holds the albums, as exact bytes.
  public let directory: [UInt8]
  public let list: AlbumList
  public let format: ManifestFormat

  public init(_ list: AlbumList, directory: [UInt8], format: ManifestFormat) {
    self.list = list
    self.directory = directory
    self.format = format
  }

  /// What came of it.
  public struct Result: Sendable {
    /// How many rows the format could not carry.
    public var leftOut = 0
    /// Albums without a manifest that can be read; the others are in the export.
    public var failures: [(name: RelativePath, error: RunError)] = []
  }

  /// Writes the whole export; nothing when no album has a manifest. Blocks the calling thread.
  ///
  /// Every manifest is held against its own counts and checksum before the first byte goes out.
  @available(*, noasync, message: "export blocks its thread; call it from a thread of your own")
  public func export(to destination: ManifestExport.Destination) throws(RunError) -> Result {
    var result = Result()
    if format == .prometheus {
      var parts: [(album: RelativePath?, figures: LastRunFigures)] = []
      for name in list.names {
        do throws(RunError) {
          parts.append((name, try PrometheusFile(directory: place(name)).exportedFigures()))
        } catch {
          result.failures.append((name, error))
        }
      }
      if !parts.isEmpty { try destination.put(PrometheusText.encode(parts)) }
      return result
    }
    var sizes = ThumbnailSizes()
    var parts: [(name: RelativePath, summary: ManifestReader.Summary)] = []
    for name in list.names {
      do throws(RunError) {
        let summary = try FinishedManifest(directory: place(name)).read { row throws(RunError) in
          sizes.add(row: row.value)
          return true
        }
        if let summary { parts.append((name, summary)) }
      } catch {
        result.failures.append((name, error))
      }
    }
    guard !parts.isEmpty else { return result }
    result.leftOut = try destination.fill { write throws(RunError) in
      var left = 0
      for (place, part) in parts.enumerated() {
        guard let exporter = exporter(part.name, part.summary, sizes, isFirst: place == 0) else { continue }
        left += try ManifestExport.pour(
          FinishedManifest(directory: self.place(part.name)), exporter, part.summary.totals, write: write)
      }
      return left
    }
    return result
  }

  private func place(_ name: RelativePath) -> [UInt8] { directory + "/".utf8 + name.bytes }

  private func exporter(
    _ album: RelativePath, _ summary: ManifestReader.Summary, _ sizes: ThumbnailSizes, isFirst: Bool
  ) -> (any ManifestExporting)? {
    switch format {
    case .json: JSONManifestExporter(orderNamed: summary.order, album: album)
    case .csv: CSVExporter(thumbnailSizes: sizes, album: album, hasHeader: isFirst)
    case .sha256: SHA256SumsExporter(album: album)
    case .bagit, .prometheus: nil
    }
  }
}
