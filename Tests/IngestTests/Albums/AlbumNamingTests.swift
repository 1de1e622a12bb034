import Testing

@testable import Ingest

/// Names albums.
@Suite(.timeLimit(.minutes(1))) struct AlbumNamingTests {
  private func names(_ own: [String], known: [String: Int] = [:]) -> [String] {
    AlbumNaming { folder, name in known[String(decoding: name, as: UTF8.self)] == folder }
      .names(for: own.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (["holiday", "work"], ["holiday", "work"]), (["DCIM", "DCIM", "DCIM"], ["DCIM", "DCIM-2", "DCIM-3"]),
    // A name that is the second of another is a name like all others.
    (["a", "a", "a-2", "a-2"], ["a", "a-2", "a-2-2", "a-2-3"]), (["a-2", "a", "a"], ["a-2", "a", "a-3"]),
    // Some file systems take these for one.
    (["Photos", "photos"], ["Photos", "photos-2"]),
    // What lies beside the albums, and what would look like the results of a single folder.
    (["albums.json", ".photo-ingest", "manifest.jsonl"], ["albums.json-2", ".photo-ingest-2", "manifest.jsonl-2"]),
    (["ALBUMS.JSON", "sha256sums"], ["ALBUMS.JSON-2", "sha256sums-2"]),
    (["thumbnails", "bag", "originals"], ["thumbnails", "bag", "originals"]),
  ])
  func `every folder has a name of its own`(own: [String], expected: [String]) {
    #expect(names(own) == expected)
  }

  @Test func `a name that is no text is a name`() {
    let naming = AlbumNaming { _, _ in false }
    #expect(naming.names(for: [[0xFF], [0xFF], [0xFE]]) == [[0xFF], [0xFF, 0x2D, 0x32], [0xFE]])
  }

  @Test func `a folder keeps the name of its series that it has had, in whatever order the folders come`() {
    #expect(names(["a", "a"], known: ["a": 1, "a-2": 0]) == ["a-2", "a"])
    #expect(names(["a", "a", "a"], known: ["a-3": 0]) == ["a-3", "a", "a-2"])
    #expect(names(["a"], known: ["a-5": 0]) == ["a-5"], "the others are not given any more")
    #expect(names(["b"], known: ["a": 0]) == ["b"], "only of its own series")
  }

  @Test func `a thousand folders of one name are named in time`() {
    let all = names(Array(repeating: "DCIM", count: 1000))
    #expect(Set(all).count == 1000 && all.last == "DCIM-1000")
  }
}
