import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OutputPathsTests {
  private func marked(_ name: String, _ mark: String = "1a2b3c4d") -> String {
    String(decoding: MarkedName.make(Array(name.utf8), mark: mark), as: UTF8.self)
  }

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1~1a2b3c4d.jpg"), ("archive.tar.gz", "archive.tar~1a2b3c4d.gz"), ("plain", "plain~1a2b3c4d"),
    (".hidden", ".hidden~1a2b3c4d"), ("a.", "a~1a2b3c4d."), ("a~b.jpg", "a~b~1a2b3c4d.jpg"),
    ("x." + String(repeating: "e", count: 40), "x." + String(repeating: "e", count: 40) + "~1a2b3c4d"),
  ])
  func `a mark stands before the extension`(name: String, wanted: String) {
    #expect(marked(name) == wanted)
    #expect(MarkedName.mark(of: Array(wanted.utf8)) == "1a2b3c4d")
  }

  @Test func `a marked name fits into a file system and is never cut inside a character`() {
    for count in 230...255 {
      for letter in ["x", "\u{E9}", "\u{1F4F7}"] {
        let stem = String(repeating: letter, count: count / letter.utf8.count)
        let name = marked(stem + ".jpeg")
        #expect(name.utf8.count <= 255 && name.utf8.count > 240 - 4)
        #expect(!name.unicodeScalars.contains("\u{FFFD}"))
        #expect(name.hasSuffix("~1a2b3c4d.jpeg"))
      }
    }
    let broken = MarkedName.make([UInt8](repeating: 0x80, count: 300), mark: "1a2b3c4d")
    #expect(broken.count == 255)
  }

  @Test(arguments: ["a.jpg", "a~.jpg", "a~1a2b3c4.jpg", "a~1A2B3C4D.jpg", "a~1a2b3c4d5g.jpg", "~", ""])
  func `other names carry no mark`(name: String) {
    #expect(MarkedName.mark(of: Array(name.utf8)) == nil)
  }

  @Test func `paths are taken apart at their last part`() {
    #expect(RelativePath("a.b/c.jpg").withoutExtension == RelativePath("a.b/c"))
    #expect(RelativePath("a.b/c").withoutExtension == RelativePath("a.b/c"))
    #expect(RelativePath("a/.xmp").withoutExtension == RelativePath("a/.xmp"))
    #expect(RelativePath("a/b.jpg").renamed(Array("c".utf8)) == RelativePath("a/c"))
    #expect(RelativePath("b.jpg").renamed(Array("c".utf8)) == RelativePath("c"))
    #expect(RelativePath("a/b.jpg").original == RelativePath("originals/a/b.jpg"))
  }

  @Test func `what a row lists is read from what the encoder wrote`() throws {
    var reader = ManifestReader()
    let row = try #require(try reader.feed(Sample.manifest(of: [Sample.fullRow()])).first)
    #expect(row.original == .symlink && row.isOriginalItsOwn)
    #expect(row.thumbnails.map(\.path.display) == ["thumbnails/256/ab/cd.jpg", "thumbnails/64/ab/cd.jpg"])
    #expect(row.sideFiles.map(\.path.bytes) == [[0x63, 0xE9, 0x2E, 0x78, 0x6D, 0x70]])
    #expect(row.content.map(\.bytes) == [3_141_592, 12])
    var copy = AssetRow(path: RelativePath("x"), status: .verified)
    copy.original = .copy
    var other = ManifestReader()
    let plain = try #require(try other.feed(Sample.manifest(of: [copy])).first)
    #expect(plain.original == .copy && plain.isOriginalItsOwn)
    // Without a checksum there is nothing to hold a file against.
    #expect(plain.content == [])
  }
}
