import IngestCore

/// Reads the names of `--files-from`: one a line, or NUL-terminated, exact bytes, relative to the source folder.
enum NameList {
  /// Splits a list into paths. A repeated name stays: the order `list` counts it once.
  ///
  /// A carriage return at the end of a line is part of the name. An entry that is empty, absolute, or climbs with
  /// `..` is refused, so a list cannot reach outside the source folder. Parts that are `.` (`find .` writes them) fall
  /// away.
  static func paths(in bytes: [UInt8], isNullSeparated: Bool, list: String) throws(UsageError) -> [RelativePath] {
    let separator: UInt8 = isNullSeparated ? 0 : ASCII.lineFeed
    var entries = bytes.split(separator: separator, omittingEmptySubsequences: false)
    // What follows the last separator is no entry.
    if entries.last?.isEmpty == true { entries.removeLast() }
    var paths: [RelativePath] = []
    paths.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      if let problem = problem(with: entry) {
        let name = String(decoding: entry, as: UTF8.self)
        if problem == .address { throw .notYet(.commandLine, subject: "\(list): entry \(index + 1): an http address") }
        throw .badListEntry(list: list, entry: index + 1, name: name, problem: problem.rawValue)
      }
      let parts = entry.split(separator: ASCII.slash).filter { !isDot($0) }
      paths.append(RelativePath(Array(parts.joined(separator: [ASCII.slash]))))
    }
    return paths
  }

  private enum Problem: String {
    case empty = "a name cannot be empty"
    case absolute = "names are relative to FOLDER"
    case climbs = "a name cannot hold the part \"..\", which leads out of FOLDER"
    case emptyPart = "a name cannot hold an empty part"
    case folder = "that is FOLDER itself"
    case holdsNull = "a name cannot hold NUL; --null reads lists that NUL separates"
    case address = "addresses"
  }

  private static func problem(with entry: ArraySlice<UInt8>) -> Problem? {
    if entry.isEmpty { return .empty }
    if entry.first == ASCII.slash { return .absolute }
    if isAddress(entry) { return .address }
    if entry.contains(0) { return .holdsNull }
    let parts = entry.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) { return .climbs }
    if parts.contains(where: \.isEmpty) { return .emptyPart }
    return parts.allSatisfy(isDot) ? .folder : nil
  }

  private static func isDot(_ part: ArraySlice<UInt8>) -> Bool {
    part.elementsEqual([ASCII.dot])
  }

  private static func isAddress(_ entry: ArraySlice<UInt8>) -> Bool {
    let start = entry.prefix(8).map(ASCII.lowercased)
    return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
  }
}
