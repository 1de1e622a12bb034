import IngestCore
import IngestFiles

/// Chooses under which name each file goes into a bag (RFC 8493, section 2.1.3).
///
/// A part of a path that holds `%`, CR, LF, other ends of lines, blanks at its edges or bytes that are not UTF-8 is
/// renamed to `stem~<8 hex>.ext`, the digits from a hash of the exact path up to that part: readers of bags disagree on
/// the escapes that the RFC has for such names. Everything else keeps its bytes. No two files get the same name.
struct BagNames {
  private var taken = PathSet()
  private var seen = PathSet()

  /// The path in the bag, `data/` first; nil for a file that has its place already.
  mutating func place(of path: RelativePath) -> RelativePath? {
    guard seen.insert(path.bytes) else { return nil }
    let wanted = Self.safe(path)
    if taken.insert(wanted.bytes) { return wanted }
    // Somebody has named a file as another one is called here.
    var digest = SHA256Digest.hex(of: path.bytes)
    while true {
      for length in [8, 16, 32, 64] {
        let other = wanted.renamed(MarkedName.make(Array(wanted.name), mark: String(digest.prefix(length))))
        if taken.insert(other.bytes) { return other }
      }
      // Nobody has named files after all digests there are.
      digest = SHA256Digest.hex(of: path.bytes + digest.utf8)
    }
  }

  private static func safe(_ path: RelativePath) -> RelativePath {
    var result = Array("data".utf8)
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      result.append(UInt8(ascii: "/"))
      if isSafe(Array(part)) {
        result += part
      } else {
        let digest = SHA256Digest.hex(of: Array(path.bytes[..<part.endIndex]))
        result += MarkedName.make(cleaned(part), mark: String(digest.prefix(8)))
      }
    }
    return RelativePath(result)
  }

  /// Whether every reader of bags takes the name as it is.
  static func isSafe(_ part: [UInt8]) -> Bool {
    let text = String(decoding: part, as: UTF8.self)
    guard text.utf8.elementsEqual(part), let first = text.unicodeScalars.first, let last = text.unicodeScalars.last
    else { return false }
    return !first.properties.isWhitespace && !last.properties.isWhitespace
      && !text.unicodeScalars.contains(where: isUnsafe)
  }

  /// `%`, and all that some reader takes for the end of a line.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x25, 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func cleaned(_ part: ArraySlice<UInt8>) -> [UInt8] {
    var scalars = String(decoding: part, as: UTF8.self).unicodeScalars[...]
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    var clean = String.UnicodeScalarView()
    for scalar in scalars { clean.append(isUnsafe(scalar) || scalar == "\u{FFFD}" ? "_" : scalar) }
    return clean.isEmpty ? [UInt8(ascii: "_")] : Array(String(clean).utf8)
  }
}
