import IngestCore
import Testing

@testable import IngestFiles

/// The census of thumbnails, and the files that a run keeps for the next one.
@Suite(.timeLimit(.minutes(1)))
struct CensusTests {
  let tree = TestTree()

  @Test func `every thumbnail is counted under its size, and strangers are not`() throws {
    let output = try tree.output()
    #expect(output.thumbnailCensus().count == 0)
    try output.write([1, 2], to: "thumbnails/256/ab/ab00000000000000000000.jpg")
    try output.write([1], to: "thumbnails/64/ab/ab00000000000000000000.jpg")
    try output.write([1], to: "thumbnails/64/cd/cd00000000000000000000.jpg")
    for name in ["thumbnails/x.jpg", "thumbnails/256/ab/short.jpg", "thumbnails/mine/ab/ab00000000000000000001.jpg"] {
      try tree.file("out/" + name)
    }
    let census = output.thumbnailCensus()
    #expect(census.count == 3 && !census.hasLitter)
    #expect(census.content(of: 0xab00_0000_0000_0000, in: [64, 256]) == (2, 3))
    #expect(census.content(of: 0xcd00_0000_0000_0000, in: [64, 256]) == (1, 1))
    #expect(census.content(of: 0xcd00_0000_0000_0000, in: [256]) == (0, 0))
    tree.folder("out/thumbnails/64/ee")
    #expect(output.thumbnailCensus().hasLitter)
  }

  @Test func `what is of ours is renamed over whatever has the name`() throws {
    let output = try tree.output()
    try output.renameOwn("none", to: "other")
    try tree.file("out/.photo-ingest/a", [1])
    try tree.file("out/.photo-ingest/b", [2])
    try output.renameOwn("a", to: "b")
    #expect(tree.content("out/.photo-ingest/b") == [1] && !output.hasOwn("a"))
    tree.folder("out/.photo-ingest/c")
    try output.renameOwn("b", to: "c")
    #expect(tree.content("out/.photo-ingest/c") == [1])
    #expect(output.ownPath("c").hasSuffix("/c"))
  }

  @Test(arguments: ["x", "thumbnails/../x", "/x", "", "thumbnails/256/ab/none"])
  func `content of ours is read by its exact size, and nothing is from outside`(path: String) throws {
    let output = try tree.output()
    try output.write([1, 2, 3], to: "thumbnails/256/ab/a.jpg")
    try tree.file("x", [1, 2, 3])
    #expect(output.content(of: "thumbnails/256/ab/a.jpg", count: 3) == [1, 2, 3])
    #expect(output.content(of: "thumbnails/256/ab/a.jpg", count: 4) == nil)
    #expect(output.content(of: "thumbnails/256/ab/a.jpg", count: -1) == nil)
    #expect(output.content(of: path, count: 3) == nil)
  }

  @Test func `the source knows where it is, and what is there`() throws {
    try tree.file("in/a.jpg")
    tree.folder("in/sub")
    try tree.link("in/l", to: "sub")
    let source = try SourceFolder.open(tree.bytes(Array("in".utf8)))
    #expect(source.absolutePath == tree.bytes(Array("in".utf8)))
    #expect(source.presence(of: RelativePath("a.jpg")) == .there)
    #expect(source.presence(of: RelativePath("b.jpg")) == .gone)
    #expect(source.presence(of: RelativePath("a.jpg/x")) == .gone)
    #expect(source.presence(of: RelativePath("l/x")) == .there, "something else, that is not looked into")
    let relative = try SourceFolder.open(Array(".".utf8))
    #expect(relative.absolutePath.first == UInt8(ascii: "/"))
  }

  @Test func `a folder that cannot be read holds what is in it and below`() {
    let folder = UnreadFolder(path: Array("a/b".utf8), reason: "")
    for (path, isIn) in [("a/b/c", true), ("a/b/c/d", true), ("a/bc", false), ("a/b", false), ("a", false)] {
      #expect(folder.holds(Array(path.utf8)) == isIn)
    }
    #expect(UnreadFolder(path: [], reason: "").holds([1]))
  }
}
