import IngestCore
import IngestFiles

/// Chooses under which name each file goes into a bag (RFC 8493, section 2.1.3).
///
/// A part of a path that holds `%`, CR, LF, other ends of lines, blanks at its edges or bytes that are not UTF-8 is
/// renamed to `stem~<8 hex>.ext`, the digits from a hash of the exact path up to that part: readers of bags disagree on
/// the escapes that the RFC has for such names. Everything else keeps its bytes. No two files get the same name, and no file
/// that of a folder.
struct BagNames {
  private var taken = PathSet()
  private var seen = PathSet()
  /// Folders of the bag.
  private var folders = PathSet()
  /// Folders of the source that have one in the bag.
  private var seenFolders = PathSet()
  /// Those that could not have the name that was theirs: where they are, by their exact paths.
  private var moved: [[UInt8]: [UInt8]] = [:]

  /// The path in the bag, `data/` first; nil for a file that has its place already.
  mutating func place(of path: RelativePath) -> RelativePath? {
    guard seen.insert(path.bytes) else { return nil }
    var base = Array("data".utf8)
    let parts = path.bytes.split(separator: UInt8(ascii: "/"))
    for part in parts.dropLast() { base = folder(Array(path.bytes[..<part.endIndex]), part, in: base) }
    guard let name = parts.last else { return nil }
    let wanted = Self.wanted(path.bytes, name, in: base)
    // Somebody has named a file or a folder as another one is called here.
    let free = folders.contains(wanted) || taken.contains(wanted) ? other(than: wanted, for: path.bytes) : wanted
    taken.insert(free)
    return RelativePath(free)
  }

  /// Where the files of a folder go. Two folders may share one; a folder and a file may not.
  private mutating func folder(_ path: [UInt8], _ name: ArraySlice<UInt8>, in base: [UInt8]) -> [UInt8] {
    if let place = moved[path] { return place }
    let wanted = Self.wanted(path, name, in: base)
    guard seenFolders.insert(path) else { return wanted }
    guard taken.contains(wanted) else {
      folders.insert(wanted)
      return wanted
    }
    let place = other(than: wanted, for: path)
    folders.insert(place)
    moved[path] = place
    return place
  }

  /// A name that nothing in the bag has.
  private func other(than wanted: [UInt8], for path: [UInt8]) -> [UInt8] {
    let wanted = RelativePath(wanted)
    var digest = SHA256Digest.hex(of: path)
    while true {
      for length in [8, 16, 32, 64] {
        let other = wanted.renamed(MarkedName.make(Array(wanted.name), mark: String(digest.prefix(length)))).bytes
        if !taken.contains(other), !folders.contains(other) { return other }
      }
      // Nobody has named files after all digests there are.
      digest = SHA256Digest.hex(of: path + digest.utf8)
    }
  }

  private static func wanted(_ path: [UInt8], _ part: ArraySlice<UInt8>, in base: [UInt8]) -> [UInt8] {
    let name: [UInt8]
    if isSafe(Array(part)) {
      name = Array(part)
    } else {
      name = MarkedName.make(cleaned(part), mark: String(SHA256Digest.hex(of: path).prefix(8)))
    }
    return base + [UInt8(ascii: "/")] + name
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
