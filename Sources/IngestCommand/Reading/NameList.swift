import IngestCore

/// Reads the names of `--files-from`: one a line, or NUL-terminated, exact bytes, relative to the source folder, or
/// addresses of remote originals (`ADDRESS`, `ADDRESS sha256:HEX`).
struct NameList {
  /// In the order of the list.
  private(set) var paths: [RelativePath] = []
  /// Those of them that are addresses, by their paths.
  private(set) var remoteOriginals: [RelativePath: RemoteOriginal] = [:]

  /// Splits a list into paths. A repeated name stays: the order `list` counts it once.
  ///
  /// A carriage return at the end of a line is part of the name. An entry that is empty, absolute, or climbs with
  /// `..` is refused, so a list cannot reach outside the source folder. Parts that are `.` (`find .` writes them) fall
  /// away.
  ///
  /// Two addresses that differ only in user, query or checksum would have the same row, so they are refused.
  init(in bytes: [UInt8], isNullSeparated: Bool, list: String) throws(UsageError) {
    let separator: UInt8 = isNullSeparated ? 0 : ASCII.lineFeed
    var entries = bytes.split(separator: separator, omittingEmptySubsequences: false)
    // What follows the last separator is no entry.
    if entries.last?.isEmpty == true { entries.removeLast() }
    paths.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      if RemoteOriginal.isAddress(entry) {
        try add(address: Array(entry), list: list, entry: index + 1)
        continue
      }
      if let problem = Self.problem(with: entry) {
        let name = String(decoding: entry, as: UTF8.self)
        throw .badListEntry(list: list, entry: index + 1, name: name, problem: problem.rawValue)
      }
      let parts = entry.split(separator: ASCII.slash).filter { !Self.isDot($0) }
      paths.append(RelativePath(Array(parts.joined(separator: [ASCII.slash]))))
    }
  }

  private mutating func add(address entry: [UInt8], list: String, entry number: Int) throws(UsageError) {
    let original: RemoteOriginal
    do {
      original = try RemoteOriginal(entry: entry)
    } catch {
      let problem: Problem =
        switch error {
        case .characters: .addressCharacters
        case .host: .addressHost
        }
      // What stands behind the scheme may be a secret.
      let scheme = entry.prefix { $0 != ASCII.slash }
      throw .badListEntry(
        list: list, entry: number, name: String(decoding: scheme, as: UTF8.self) + "//...", problem: problem.rawValue)
    }
    if let earlier = remoteOriginals[original.path], earlier != original {
      throw .badListEntry(
        list: list, entry: number, name: original.path.display, problem: Problem.addressTwice.rawValue)
    }
    remoteOriginals[original.path] = original
    paths.append(original.path)
  }

  private enum Problem: String {
    case empty = "a name cannot be empty"
    case absolute = "names are relative to FOLDER"
    case climbs = "a name cannot hold the part \"..\", which leads out of FOLDER"
    case emptyPart = "a name cannot hold an empty part"
    case folder = "that is FOLDER itself"
    case holdsNull = "a name cannot hold NUL; --null reads lists that NUL separates"
    case addressCharacters = "behind an address, after one blank, only sha256: and 64 hex digits may stand"
    case addressHost = "the address names no host"
    case addressTwice = "another entry has the same address but for its user, its query or its checksum"
  }

  private static func problem(with entry: ArraySlice<UInt8>) -> Problem? {
    if entry.isEmpty { return .empty }
    if entry.first == ASCII.slash { return .absolute }
    if entry.contains(0) { return .holdsNull }
    let parts = entry.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) { return .climbs }
    if parts.contains(where: \.isEmpty) { return .emptyPart }
    return parts.allSatisfy(isDot) ? .folder : nil
  }

  private static func isDot(_ part: ArraySlice<UInt8>) -> Bool {
    part.elementsEqual([ASCII.dot])
  }
}
