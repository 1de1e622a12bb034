/// Writes `manifest.json`: one object that holds the rows of `manifest.jsonl`, byte for byte, one a line.
public struct JSONManifestExporter: ManifestExporting {
  private let order: String
  private let album: RelativePath?
  private var isEmpty = true

  public init(order: AssetOrder) {
    self.order = order.rawValue
    album = nil
  }

  /// - Parameters:
  ///   - order: the header's word, which a later program may have chosen: `ManifestReader.order`.
  ///   - album: the value of a key `album`, where objects of several albums follow each other.
  public init(orderNamed order: String, album: RelativePath? = nil) {
    self.order = order
    self.album = album
  }

  public mutating func begin() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if let album { writer.path(album, key: "album") }
    writer.key("assets")
    writer.beginArray()
    return writer.bytes
  }

  public mutating func row(line: [UInt8], value: JSONValue) -> [UInt8] {
    var bytes = Array((isEmpty ? "\n" : ",\n").utf8)
    isEmpty = false
    bytes.append(contentsOf: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...])
    return bytes
  }

  public mutating func end(totals: ManifestTotals) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", ManifestEncoder.formatName)
    writer.member("order", order)
    writer.key("totals")
    writer.beginObject()
    writer.member("assets", totals.assets)
    writer.member("damaged", totals.damaged)
    writer.member("failed", totals.failed)
    writer.member("verified", totals.verified)
    writer.endObject()
    writer.member("version", ManifestEncoder.version)
    writer.endObject()
    writer.newLine()
    // The object was opened by `begin`: its bracket gives way to the end of the array.
    return Array((isEmpty ? "]," : "\n],").utf8) + writer.bytes.dropFirst()
  }
}
