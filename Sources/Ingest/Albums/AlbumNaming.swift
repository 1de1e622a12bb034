/// Gives folders names that are all different: each its own, a second one of the same name with `-2`, and so on.
///
/// Names that differ only in the case of ASCII letters count as the same, since some file systems take them for one. A folder
/// that has had a name of its series before keeps it, in whatever order the folders are given.
struct AlbumNaming {
  /// Names of our own in the folder that holds the albums, and those that would look like the results of a single folder.
  static let reserved = [
    "albums.json", ".photo-ingest", "manifest.jsonl", "manifest.json", "manifest.csv", "SHA256SUMS",
    "photo-ingest.prom", "published.jsonl", "index.html",
  ]

  /// Whether a folder that was given is the one whose album has this name, as far as is known.
  let isKnown: (_ folder: Int, _ name: [UInt8]) -> Bool

  /// How many more folders of one name earlier runs may have had than this one.
  private static let earlier = 8

  /// The names, in the order of the folders.
  func names(for own: [[UInt8]]) -> [[UInt8]] {
    var names = [[UInt8]?](repeating: nil, count: own.count)
    var taken = Set(Self.reserved.map { Self.folded($0.utf8) })
    let namesakes = own.reduce(into: [:]) { $0[Self.folded($1), default: 0] += 1 }
    for folder in own.indices {
      // A run gives no more names of one series than it has folders for it.
      let most = (namesakes[Self.folded(own[folder])] ?? 1) + Self.earlier
      let known = (1...most).lazy.map { Self.name(own[folder], $0) }
        .first { !taken.contains(Self.folded($0)) && isKnown(folder, $0) }
      guard let known else { continue }
      names[folder] = known
      taken.insert(Self.folded(known))
    }
    return own.indices.map { folder in
      if let name = names[folder] { return name }
      var number = 1
      var name = own[folder]
      while !taken.insert(Self.folded(name)).inserted {
        number += 1
        name = Self.name(own[folder], number)
      }
      return name
    }
  }

  private static func name(_ own: [UInt8], _ number: Int) -> [UInt8] {
    number == 1 ? own : own + "-\(number)".utf8
  }

  private static func folded(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
