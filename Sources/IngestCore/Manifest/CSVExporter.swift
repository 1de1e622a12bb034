/// Writes `manifest.csv` (RFC 4180): a header row, CRLF, fields quoted where they must be, UTF-8 without mark.
///
/// Its columns are `CSVColumn.fixed`, then five for each thumbnail size. Keys that this program does not know are left
/// out. Made for people with spreadsheets; programs do better with `manifest.jsonl`.
public struct CSVExporter: ManifestExporting {
  private let sizes: [Int]

  /// - Parameter sizes: those of all rows, which a first pass over the manifest has collected.
  public init(thumbnailSizes sizes: ThumbnailSizes) {
    self.sizes = sizes.sizes
  }

  /// The names of all columns in order.
  public var columnNames: [String] {
    CSVColumn.fixed.map(\.name)
      + sizes.flatMap { size in CSVColumn.ofThumbnail.map { "thumbnails.\(size).\($0.name)" } }
  }

  public mutating func begin() -> [UInt8] {
    record(columnNames)
  }

  public mutating func row(line: [UInt8], value: JSONValue) -> [UInt8] {
    var cells = CSVColumn.fixed.map { column in
      column.cell(of: column.keys.reduce(value as JSONValue?) { $0?[$1] })
    }
    let thumbnails = value["thumbnails"]?.arrayValue ?? []
    for size in sizes {
      let thumbnail = thumbnails.first { ThumbnailSizes.size(of: $0) == size }
      cells += CSVColumn.ofThumbnail.map { $0.cell(of: thumbnail?[$0.name]) }
    }
    return record(cells)
  }

  public mutating func end(totals: ManifestTotals) -> [UInt8] { [] }

  private func record(_ cells: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (position, cell) in cells.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell, to: &bytes)
    }
    bytes.append(contentsOf: "\r\n".utf8)
    return bytes
  }

  private func append(_ cell: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard cell.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 10 || $0 == 13 }) else {
      bytes.append(contentsOf: cell.utf8)
      return
    }
    bytes.append(quote)
    for byte in cell.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
