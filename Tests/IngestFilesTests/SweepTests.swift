import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct SweepTests {
  let tree = TestTree()
  let kept = "thumbnails/256/ab/0123456789abcdef0123.jpg"

  @Test func `thumbnails that are not listed go, with empty folders, and nothing else does`() throws {
    let output = try tree.output()
    try output.write([1], to: kept)
    try output.write([1], to: "thumbnails/256/ab/ffffffffffffffffffff.jpg")
    try output.write([1], to: "thumbnails/512/cd/eeeeeeeeeeeeeeeeeeee.jpg")
    let foreign = [
      "thumbnails/readme.txt", "thumbnails/256/ab/bed.jpg", "thumbnails/256/ab/holiday.jpg",
      "thumbnails/256/ab/0123456789abcdef0123.png",
      "thumbnails/256/abc/dddddddddddddddddddd.jpg", "thumbnails/mine/ab/dddddddddddddddddddd.jpg", "x.jpg",
    ]
    for name in foreign { try tree.file("out/" + name) }
    try tree.link("out/thumbnails/256/ab/cccccccccccccccccccc.jpg", to: "nowhere")
    try output.sweepThumbnails { $0 == kept }
    let left = tree.listing("out").filter { $0.hasSuffix("jpg") || $0.hasSuffix("png") || $0.hasSuffix("txt") }
    #expect(left == (foreign + [kept, "thumbnails/256/ab/cccccccccccccccccccc.jpg"]).sorted())
    #expect(tree.content("out/" + kept) == [1])
    #expect(!tree.listing("out/thumbnails").contains("512"))
  }

  @Test func `a sweep that finds nothing to do leaves every time alone`() throws {
    let output = try tree.output()
    try output.write([1], to: kept)
    let names = ["out", "out/thumbnails", "out/thumbnails/256", "out/thumbnails/256/ab", "out/" + kept]
    let before = try names.map { try tree.identity($0) }
    try output.sweepThumbnails { _ in true }
    output.sweepLeftovers()
    #expect(try names.map { try tree.identity($0) } == before)
  }

  @Test func `no thumbnails at all is nothing to sweep`() throws {
    let output = try tree.output()
    try output.sweepThumbnails { _ in false }
    #expect(tree.listing("out") == [".photo-ingest"])
  }

  @Test func `leftovers of dead runs go, files of a living run and of others stay`() throws {
    let output = try tree.output()
    let living = try output.beginFile("manifest.jsonl")
    try living.append([1])
    try tree.file("out/.photo-ingest/.photo-ingest-1-1.tmp").file("out/.photo-ingest-1-7.tmp")
    try tree.file("out/.photo-ingest/journal").file("out/notes.tmp").file("out/.photo-ingest-mine")
    try tree.output().sweepLeftovers()
    try living.commit()
    let expected = [".photo-ingest", ".photo-ingest-mine", ".photo-ingest/journal", "manifest.jsonl", "notes.tmp"]
    #expect(tree.listing("out") == expected)
  }
}
