import IngestCore

/// Writes and reads the text files of a bag (RFC 8493, section 2).
enum BagText {
  static let declarationName = "bagit.txt"
  static let infoName = "bag-info.txt"
  static let manifestName = "manifest-sha256.txt"
  static let tagManifestName = "tagmanifest-sha256.txt"
  static let namesName = "original-names.jsonl"

  /// `bagit.txt`: exactly two lines.
  static let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)

  /// `bag-info.txt`.
  ///
  /// - Parameters:
  ///   - date: `2024-07-01`
  ///   - software: who made the bag
  static func info(date: String, software: String, bytes: UInt64, files: Int) -> [UInt8] {
    Array(
      """
      Bag-Size: \(size(bytes))
      Bag-Software-Agent: \(software)
      Bagging-Date: \(date)
      Payload-Oxum: \(bytes).\(files)

      """.utf8)
  }

  /// The value of a label of `bag-info.txt`.
  static func value(of label: String, in info: [UInt8]) -> String? {
    for line in String(decoding: info, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0] == label { return String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }

  /// A line of a manifest. The path holds nothing that had to be escaped: `BagNames` sees to that.
  static func line(sha256: String, path: RelativePath) -> [UInt8] {
    Array("\(sha256)  ".utf8) + path.bytes + [UInt8(ascii: "\n")]
  }

  /// A line of `original-names.jsonl`: what a renamed file is called in the source.
  static func originalName(bagPath: RelativePath, path: RelativePath) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("bag_path", bagPath.display)
    writer.member("path", path.display)
    if !path.isExact {
      writer.key("path_b64")
      writer.base64(path.bytes)
    }
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Reads a line of a manifest, without its end: checksum, white space, path with `%0A`, `%0D`, `%25` for what they
  /// stand for. Nil for anything else.
  static func entry(_ line: ArraySlice<UInt8>) -> (sha256: String, path: RelativePath)? {
    let sha256 = String(decoding: line.prefix(64), as: UTF8.self).lowercased()
    let rest = line.dropFirst(64)
    guard ManifestRow.isChecksum(sha256), rest.first == 0x20 || rest.first == 0x09 else { return nil }
    let name = rest.drop { $0 == 0x20 || $0 == 0x09 }
    guard !name.isEmpty else { return nil }
    return (sha256, RelativePath(decoded(name)))
  }

  private static func decoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    let escapes: [(String, UInt8)] = [("0A", 0x0A), ("0D", 0x0D), ("25", 0x25)]
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.first {
      let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self).uppercased()
      if byte == UInt8(ascii: "%"), let escape = escapes.first(where: { $0.0 == digits }) {
        bytes.append(escape.1)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return bytes
  }

  private static func size(_ bytes: UInt64) -> String {
    var value = Double(bytes)
    for unit in ["B", "KB", "MB", "GB"] {
      if value < 1000 { return "\(Self.rounded(value, unit)) \(unit)" }
      value /= 1000
    }
    return "\(Self.rounded(value, "TB")) TB"
  }

  private static func rounded(_ value: Double, _ unit: String) -> String {
    if unit == "B" { return String(Int(value)) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
