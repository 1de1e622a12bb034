import IngestCore
import IngestFiles
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct BagNamesTests {
  private func place(_ path: RelativePath, in names: inout BagNames) throws -> RelativePath {
    let place = names.place(of: path)
    return try #require(place)
  }

  @Test(arguments: [
    "a.jpg", "sub/b.jpg", "*star.jpg", "back\\slash.jpg", "in side.jpg", "tab\tin.jpg", "caf\u{E9}.jpg",
    "cafe\u{301}.jpg",
    "~a~1a2b3c4d.jpg", "\u{FFFD}.jpg", "-.jpg",
  ])
  func `a name that every reader takes is kept`(name: String) {
    var names = BagNames()
    let found1 = names.place(of: RelativePath(name))?.bytes
    #expect(found1 == Array("data/\(name)".utf8))
  }

  @Test(arguments: [
    Array("50%.jpg".utf8), Array("a\nb.jpg".utf8), Array("a\rb.jpg".utf8), Array(" a.jpg".utf8), Array("a.jpg ".utf8),
    Array("a.jpg\t".utf8), Array("a\u{2028}b.jpg".utf8), Array("a\u{85}b.jpg".utf8), Array("a\u{B}b".utf8),
    Array("\u{A0}a.jpg".utf8), [0xFF], [0x63, 0xE9, 0x2E, 0x6A], Array("   ".utf8), Array("%".utf8),
    Array(repeating: UInt8(ascii: "%"), count: 255), Array(repeating: 0xE9, count: 255),
  ])
  func `any other is renamed with eight digits, and stays a name`(name: [UInt8]) throws {
    var names = BagNames()
    let place = try place(RelativePath(name), in: &names)
    let part = Array(place.name)
    #expect(BagNames.isSafe(part) && part.count <= 255 && MarkedName.mark(of: part)?.count == 8, "\(place.display)")
    var again = BagNames()
    let found2 = again.place(of: RelativePath(name))
    #expect(found2 == place)
  }

  @Test func `folders are renamed the same way for all that is in them`() throws {
    var names = BagNames()
    let first = try place(RelativePath("50%/a.jpg"), in: &names).display
    let second = try place(RelativePath("50%/b.jpg"), in: &names).display
    #expect(first.wholeMatch(of: #/data/50_~[0-9a-f]{8}/a\.jpg/#) != nil)
    #expect(first.dropLast(5) == second.dropLast(5))
  }

  @Test func `no two files get one name, and no file two`() throws {
    var names = BagNames()
    let renamed = try place(RelativePath("50%.jpg"), in: &names)
    let found3 = names.place(of: RelativePath("50%.jpg"))
    #expect(found3 == nil)
    // Somebody knows how we rename.
    let twin = RelativePath(Array(renamed.bytes.dropFirst(5)))
    let other = try place(twin, in: &names)
    #expect(other != renamed && other.display.hasPrefix("data/50_~"))
    // The same, the other way round.
    var reversed = BagNames()
    let found4 = reversed.place(of: twin)
    #expect(found4 == renamed)
    let moved = try place(RelativePath("50%.jpg"), in: &reversed)
    #expect(moved != renamed)
    let three = ["a%", "a\n", "a\r"].compactMap { names.place(of: RelativePath($0)) }
    #expect(Set(three).count == 3)
  }

  @Test func `a file and a folder never get one name, whichever comes first`() throws {
    var names = BagNames()
    let inside = try place(RelativePath("a%/x.jpg"), in: &names)
    let folder = Array(inside.bytes.dropLast("/x.jpg".utf8.count))
    // Somebody has a file that is called as that folder is called here.
    let file = try place(RelativePath(Array(folder.dropFirst(5))), in: &names)
    #expect(file.bytes != folder)
    let second = try place(RelativePath("a%/deep/y.jpg"), in: &names)
    #expect(second.bytes == folder + Array("/deep/y.jpg".utf8), "the folder stays where it is")

    var reversed = BagNames()
    let first = try place(RelativePath(Array(folder.dropFirst(5))), in: &reversed)
    #expect(first.bytes == folder)
    let moved = try place(RelativePath("a%/x.jpg"), in: &reversed)
    let other = try place(RelativePath("a%/deep/y.jpg"), in: &reversed)
    let home = Array(moved.bytes.dropLast("/x.jpg".utf8.count))
    #expect(home != folder && other.bytes == home + Array("/deep/y.jpg".utf8), "its files stay together")
  }

  @Test func `whoever takes every name that a file could get takes none from it`() throws {
    let odd = RelativePath("a%.jpg")
    var names = BagNames()
    let plain = try place(odd, in: &names)
    let digest = SHA256Digest.hex(of: odd.bytes)
    var crowded = BagNames()
    var taken = [Array(plain.bytes.dropFirst(5))]
    for length in [8, 16, 32, 64] {
      taken.append(MarkedName.make(Array(plain.name), mark: String(digest.prefix(length))))
    }
    for name in taken { _ = try place(RelativePath(name), in: &crowded) }
    let last = try place(odd, in: &crowded)
    #expect(!taken.contains(Array(last.bytes.dropFirst(5))))
  }

  @Test func `paths are told apart by more bits than anybody can search through`() {
    #expect(MemoryLayout.size(ofValue: PathSet.key(Array("a.jpg".utf8))) == 16)
  }

  @Test func `lines of a bag's manifest are read as the RFC says, and nothing else is`() {
    let sum = String(repeating: "ab", count: 32)
    func entry(_ line: String) -> String? { BagText.entry(Array(line.utf8)[...])?.path.display }
    #expect(entry("\(sum)  data/a b.jpg") == "data/a b.jpg")
    #expect(entry("\(sum.uppercased()) data/a") == "data/a")
    #expect(entry("\(sum)\t data/%0a%0D%25%41") == "data/\n\r%%41")
    #expect(entry("\(sum)data/a") == nil)
    #expect(entry("\(sum)  ") == nil)
    #expect(entry("abc  data/a") == nil)
    #expect(entry("") == nil)
    #expect(
      BagText.value(of: "Bag-Size", in: BagText.info(date: "d", software: "s", bytes: 1_250_000, files: 2)) == "1.3 MB")
  }
}
