/// Holds one row as it stands in a manifest, with what every user of a manifest needs of it.
public struct ManifestRow: Sendable, Hashable {
  /// The row's bytes as they stand, without the LF.
  public let line: [UInt8]
  /// The same as a value; it holds also what this program does not know.
  public let value: JSONValue
  public let index: Int
  /// The exact bytes: `path_b64` where there is one, else `path`.
  public let path: RelativePath
  public let status: AssetRow.Status

  /// The checksum of the source, lower-case hex; nil when the row has none.
  public var sha256: String? { value["sha256"]?.stringValue }
  /// The size of the source; nil when the row has none.
  public var bytes: UInt64? { value["bytes"]?.integerValue.flatMap { UInt64(exactly: $0) } }

  init(line: [UInt8], value: JSONValue, lineNumber: Int) throws(ManifestFault) {
    func bad(_ words: String) -> ManifestFault {
      ManifestFault(line: lineNumber, kind: .badRecord(words))
    }
    guard let index = value["index"]?.integerValue.flatMap({ Int(exactly: $0) }) else {
      throw bad("the row has no index")
    }
    guard let path = Self.exactPath(of: value) else { throw bad("the row has no path") }
    guard path.isContained else { throw bad("the row's path leads out of the source folder") }
    guard let status = value["status"]?.stringValue.flatMap({ AssetRow.Status(rawValue: $0) }) else {
      throw bad("the row's status is none of verified, damaged, failed")
    }
    if let sha256 = value["sha256"], !(sha256.stringValue.map(Self.isChecksum) ?? false) {
      throw bad("the row's sha256 is not 64 lower-case hexadecimal digits")
    }
    self.line = line
    self.value = value
    self.index = index
    self.path = path
    self.status = status
  }

  /// The exact bytes of a row's path; nil when it has none or its base64 is broken.
  static func exactPath(of row: JSONValue) -> RelativePath? {
    guard let shown = row["path"]?.stringValue, !shown.isEmpty else { return nil }
    guard let encoded = row["path_b64"] else { return RelativePath(shown) }
    guard let text = encoded.stringValue, let bytes = Base64.decode(text), !bytes.isEmpty else { return nil }
    return RelativePath(bytes)
  }

  /// Whether a text is a SHA-256 as manifests write it: 64 lower-case hexadecimal digits.
  public static func isChecksum(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
