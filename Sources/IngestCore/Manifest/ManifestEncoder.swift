/// Writes the records of `manifest.jsonl` (interface version 1, "Manifest"): a header, the rows, an end.
///
/// Keys stand in the order of their bytes at every level, `/` is not escaped, and what is unknown is left out. The same
/// row always gives the same bytes.
public struct ManifestEncoder: Sendable {
  /// The `format` of every manifest.
  public static let formatName = "photo-ingest"
  /// The only `version` there is.
  public static let version = 1

  public let order: AssetOrder

  public init(order: AssetOrder) {
    self.order = order
  }

  /// The first line, with its LF.
  public func header() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", Self.formatName)
    writer.member("order", order.rawValue)
    writer.member("record", "header")
    writer.member("version", Self.version)
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// The last line, with its LF.
  ///
  /// - Parameter sha256: lower-case hex of the SHA-256 of all bytes before this line.
  public func end(totals: ManifestTotals, sha256: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("assets", totals.assets)
    writer.member("damaged", totals.damaged)
    writer.member("failed", totals.failed)
    writer.member("record", "end")
    writer.member("sha256", sha256)
    writer.member("verified", totals.verified)
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Holds the bytes of a row that has no index yet.
  ///
  /// A run spools its rows before it knows their places: with `--order captured` the last photo may be the first row.
  public struct EncodedRow: Sendable, Hashable {
    /// A JSON object without its `index` and without LF; no LF is inside either.
    public let bytes: [UInt8]
    /// Where in `bytes` the member `index` belongs. More members follow there, always.
    public let indexOffset: Int

    /// The row's line in the manifest, with its LF.
    public func line(index: Int) -> [UInt8] {
      ManifestEncoder.line(spooled: bytes[...], indexOffset: indexOffset, index: index)
    }
  }

  /// Puts the index into a spooled row and ends the line with LF.
  ///
  /// - Parameters:
  ///   - spooled: `EncodedRow.bytes`
  ///   - indexOffset: `EncodedRow.indexOffset`, counted from the start of `spooled`
  public static func line(spooled: ArraySlice<UInt8>, indexOffset: Int, index: Int) -> [UInt8] {
    precondition((0...spooled.count).contains(indexOffset), "the index belongs inside the spooled row")
    var line: [UInt8] = []
    line.reserveCapacity(spooled.count + 24)
    line.append(contentsOf: spooled.prefix(indexOffset))
    line.append(contentsOf: "\"index\":\(index),".utf8)
    line.append(contentsOf: spooled.dropFirst(indexOffset))
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
