/// Writes `SHA256SUMS` as `sha256sum` writes it, so that `sha256sum -c` run in the source folder passes.
///
/// Names are the raw bytes of the path. A name that holds `\`, LF or CR is written with `\\`, `\n`, `\r` and its line
/// begins with `\` (GNU coreutils manual, "cksum common options"). Left out are rows without a checksum and addresses
/// of remote photos, which are not in the source folder.
public struct SHA256SumsExporter: ManifestExporting {
  private let folder: [UInt8]

  /// - Parameter album: the folder in which the source folder lies, as far as the names are concerned; for one list of
  ///   several albums.
  public init(album: RelativePath? = nil) {
    folder = album.map { $0.bytes + [UInt8(ascii: "/")] } ?? []
  }

  public mutating func begin() -> [UInt8] { [] }

  public mutating func row(line: [UInt8], value: JSONValue) -> [UInt8] {
    guard let sha256 = value["sha256"]?.stringValue, ManifestRow.isChecksum(sha256),
      let path = ManifestRow.exactPath(of: value), !path.isAddress
    else { return [] }
    let plain = folder + path.bytes
    var name: [UInt8] = []
    for byte in plain {
      switch byte {
      case UInt8(ascii: "\\"): name.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "\n"): name.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): name.append(contentsOf: "\\r".utf8)
      default: name.append(byte)
      }
    }
    let mark = name.count > plain.count ? "\\" : ""
    // A lone "-" would mean standard input.
    if name == [UInt8(ascii: "-")] { name = Array("./-".utf8) }
    return Array("\(mark)\(sha256)  ".utf8) + name + [UInt8(ascii: "\n")]
  }

  public mutating func end(totals: ManifestTotals) -> [UInt8] { [] }
}
