import Foundation
import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct OriginalsWritingTests {
  let tree = TestTree()
  let path = Array("sub/a.jpg".utf8)

  private func sum(_ bytes: [UInt8]) -> String { SHA256Digest.hex(of: bytes) }

  private func source(_ bytes: [UInt8]) throws -> SourceFile {
    try tree.file("in/sub/a.jpg", bytes)
    return try SourceFolder.open(tree.bytes(Array("in".utf8))).open(RelativePath(path))
  }

  @Test func `a copy of a content that is not there is refused, and leaves nothing`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    let file = try source([1, 2, 3])
    #expect {
      try output.keepCopy(of: file, at: path, sha256: sum([1, 2, 4]))
    } throws: {
      if case OriginalFault.source(let error) = $0 { error.errno == 0 } else { false }
    }
    #expect(tree.listing("out/.photo-ingest").isEmpty)
    #expect(!tree.listing("out").contains { $0.hasSuffix("a.jpg") })
  }

  @Test func `a large file is copied whole with its rights`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    let bytes = (0..<1_200_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let file = try source(bytes)
    try #require(unsafe chmod(tree.cPath("in/sub/a.jpg"), 0o4751) == 0)
    try output.keepCopy(of: file, at: path, sha256: sum(bytes))
    try output.syncFolders()
    #expect(tree.content("out/originals/sub/a.jpg") == bytes)
    var status = stat()
    #expect(unsafe stat(tree.cPath("out/originals/sub/a.jpg"), &status) == 0 && status.st_mode & 0o7777 == 0o751)
  }

  @Test func `content that is there moves aside once, whatever has its next name`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    let old: [UInt8] = [9, 9]
    let aside = "out/originals/sub/a~\(sum(old).prefix(8)).jpg"
    let further = "out/originals/sub/a~\(sum(old).prefix(16)).jpg"
    try tree.file("out/originals/sub/a.jpg", old)
    try tree.file(aside, [5])
    try output.keepCopy(of: try source([1]), at: path, sha256: sum([1]))
    #expect(tree.content("out/originals/sub/a.jpg") == [1])
    #expect(tree.content(aside) == [5])
    #expect(tree.content(further) == old)
    try tree.file("out/originals/sub/a.jpg", old)
    try output.keepCopy(of: try source([2]), at: path, sha256: sum([2]))
    #expect(try output.reading(Array("sub".utf8))?.namesBeside(RelativePath("x")).count == 3)
  }

  @Test func `a folder in the place of an original is set aside with all that is in it`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    let aside = "out/originals/sub/a~\(sum(path).prefix(8)).jpg"
    let other: [UInt8] = [2, 2]
    try tree.file("out/originals/sub/a.jpg/x", [1])
    try tree.file("out/originals/sub/a.jpg/deep/er/y.jpg", other)
    try output.keepCopy(of: try source([1]), at: path, sha256: sum([1]))
    #expect(tree.content("out/originals/sub/a.jpg") == [1])
    #expect(tree.content(aside + "/x~\(sum([1]).prefix(8))") == [1])
    #expect(tree.content(aside + "/deep/er/y~\(sum(other).prefix(8)).jpg") == other)
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `what was done to names is undone in all its kinds`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    try tree.file("out/originals/sub/a.jpg/x", [1])
    try tree.file("out/originals/old.jpg", [5])
    try tree.file("out/originals/way", [6])
    try tree.file("out/originals/twice.jpg", [7])
    try tree.file("out/originals/twice~\(sum([7]).prefix(8)).jpg", [7])
    try tree.link("out/originals/link.jpg", to: "/elsewhere/link.jpg")
    let before = tree.listing("out/originals")
    output.rememberChanges()
    for place in ["sub/a.jpg", "old.jpg", "way/new.jpg", "twice.jpg", "link.jpg", "fresh/new.jpg"] {
      try output.keepCopy(of: try source([9]), at: Array(place.utf8), sha256: sum([9]))
    }
    #expect(tree.content("out/originals/way/new.jpg") == [9])
    try output.undoChanges()
    #expect(tree.listing("out/originals") == before)
    #expect(tree.content("out/originals/sub/a.jpg/x") == [1])
    #expect(tree.content("out/originals/old.jpg") == [5])
    #expect(tree.content("out/originals/way") == [6])
    #expect(tree.content("out/originals/twice.jpg") == [7])
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a path that leads out is refused`() throws {
    let output = try tree.output().beneath(Array("originals".utf8))
    for bad in ["../a.jpg", "sub/../../a.jpg", "/a.jpg", "", "sub//a.jpg"] {
      #expect(throws: OriginalFault.self) {
        try output.keepCopy(of: try source([1]), at: Array(bad.utf8), sha256: sum([1]))
      }
      #expect(throws: FileError.self) { try output.removeFile(RelativePath("../" + bad)) }
    }
  }

  @Test func `links left by a dead run are swept`() throws {
    let output = try tree.output()
    try tree.link("out/.photo-ingest/.photo-ingest-link-1-1.tmp", to: "/nowhere")
    output.sweepLeftovers()
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a removal takes empty folders along and follows no link`() throws {
    let output = try tree.output()
    try tree.file("out/o/deep/er/a", [1]).file("out/o/b", [1]).file("away/a", [1])
    try tree.link("out/o/link", to: tree.path + "/away")
    try output.removeFile(RelativePath("o/deep/er/a"))
    #expect(throws: FileError.self) { try output.removeFile(RelativePath("o/link/a")) }
    try output.removeFile(RelativePath("o/link"))
    try output.removeFile(RelativePath("o/nothing"))
    #expect(tree.content("away/a") == [1])
    #expect(tree.listing("out").filter { $0.contains("deep") }.isEmpty)
    #expect(tree.content("out/o/b") == [1])
  }

  @Test func `a folder is exchanged whole, and an earlier one is gone after that`() throws {
    let output = try tree.output()
    for round in [[UInt8(1)], [UInt8(2)]] {
      let folder = try output.beginFolder(for: Array("bag".utf8))
      try folder.write(round, to: "data/x")
      try folder.syncFolders()
      try output.exchange(Array("bag".utf8))
      #expect(tree.content("out/bag/data/x") == round)
      #expect(tree.listing("out/.photo-ingest").isEmpty)
    }
    let unfinished = try output.beginFolder(for: Array("bag".utf8))
    try unfinished.write([3], to: "data/x")
    #expect(tree.content("out/bag/data/x") == [2])
    output.abandonFolder()
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a second step that fails gives the old folder its name back`() throws {
    let output = try tree.output()
    try tree.file("out/bag/data/x", [1])
    #expect(throws: SystemError.self) { try output.exchangeInTwoSteps(Array("bag".utf8)) }
    #expect(tree.content("out/bag/data/x") == [1])
    try tree.file("out/.photo-ingest/building/data/x", [2])
    try output.exchangeInTwoSteps(Array("bag".utf8))
    #expect(tree.content("out/bag/data/x") == [2])
  }

  @Test(.enabled(if: MountTests.canMount, "mounting a small file system needs root"))
  func `originals on a file system of their own keep theirs when a source has changed, and leave no litter`() throws {
    tree.folder("out/originals")
    let place = tree.path + "/out/originals"
    try #require(MountTests.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", place))
    defer { MountTests.run("umount", place) }
    let output = try tree.output().beneath(Array("originals".utf8))
    try tree.file("out/originals/sub/a.jpg", [1]).file("out/originals/sub/.photo-ingest-1-1.tmp")
    try tree.link("out/originals/sub/.photo-ingest-link-1-1.tmp", to: "/nowhere")
    do {
      try output.keepCopy(of: try source([2]), at: path, sha256: sum([3]))
      Issue.record("another content was kept")
    } catch {
      guard let fault = error as? OriginalFault, case .source = fault else { throw error }
    }
    #expect(tree.listing("out/originals") == ["sub", "sub/a.jpg"])
    try output.keepCopy(of: try source([2]), at: path, sha256: sum([2]))
    #expect(tree.content("out/originals/sub/a.jpg") == [2])
    #expect(tree.listing("out/originals").count == 3)
  }

  @Test func `a kill between the two renames of an old file system is mended`() throws {
    let output = try tree.output()
    try tree.file("out/.photo-ingest/replaced/data/x", [1]).file("out/.photo-ingest/building/data/x", [2])
    _ = try output.beginFolder(for: Array("bag".utf8))
    #expect(tree.content("out/bag/data/x") == [1])
    output.abandonFolder()
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a deep tree is removed with few descriptors`() throws {
    let output = try tree.output()
    tree.folder("out/.photo-ingest/building")
    let deep = TestTree()
    try deep.deepFolders(named: String(repeating: "d", count: 100), levels: 120)
    try #require(
      unsafe rename(deep.path + "/" + String(repeating: "d", count: 100), tree.path + "/out/.photo-ingest/building/d")
        == 0)
    output.abandonFolder()
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }
}
