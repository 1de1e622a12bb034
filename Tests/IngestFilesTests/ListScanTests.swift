import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct ListScanTests {
  let tree = TestTree()

  @Test func `a list keeps its order and a repeated name counts once`() throws {
    try tree.file("a.jpg").file("sub/b.jpg").file("sub/c.jpg").file("note.txt")
    let names = ["sub/c.jpg", "a.jpg", "sub/b.jpg", "a.jpg", "note.txt", "sub"].map { RelativePath($0) }
    let result = try tree.source().scanList(names, .forTests)
    #expect(result.candidates.map(\.path.display) == ["sub/c.jpg", "a.jpg", "sub/b.jpg"])
    #expect(result.leftOut == [.notAPhoto: 1, .folder: 1])
  }

  @Test func `a listed name that does not exist is a row whose opening fails as vanished`() throws {
    try tree.file("a.jpg")
    let source = try tree.source()
    let result = source.scanList(
      [RelativePath("gone.jpg"), RelativePath("a.jpg"), RelativePath("no/x.jpg")], .forTests)
    #expect(result.candidates.map(\.path.display) == ["gone.jpg", "a.jpg", "no/x.jpg"])
    #expect(result.candidates[0].identity == nil)
    for index in [0, 2] {
      let refused = #expect(throws: FileError.self) { try source.open(result.candidates[index].path) }
      #expect(refused?.loadFailure == LoadFailure(.vanished, "cannot be opened: No such file or directory"))
    }
  }

  @Test func `a listed name behind a link is a row that fails, and nothing is read out of the folder`() throws {
    try tree.file("in/a.jpg").file("outside/b.jpg")
    try tree.link("in/door", to: "../outside")
    let source = try SourceFolder.open(tree.bytes(Array("in".utf8)))
    let result = source.scanList([RelativePath("door/b.jpg")], .forTests)
    #expect(result.candidates.map(\.kind) == [.link("lies behind a symbolic link, which is not followed")])
  }

  @Test func `the rules of a scan hold for a list`() throws {
    try tree.file(".hidden/a.jpg").file("@eaDir/a.jpg").file("out/thumbnails/a.jpg").file("skip/a.jpg").file("b.jpg")
    var options = ScanOptions.forTests
    options.outputFolder = FolderIdentity.of(tree.bytes(Array("out".utf8)))
    options.entersFolder = { $0 != RelativePath("skip") }
    let names = [".hidden/a.jpg", "@eaDir/a.jpg", "out/thumbnails/a.jpg", "out", "skip/a.jpg", "b.jpg"]
    let result = try tree.source().scanList(names.map { RelativePath($0) }, options)
    #expect(result.paths == ["b.jpg"])
    #expect(result.leftOut == [.hidden: 1, .eaDir: 1, .outputFolder: 2, .excluded: 1])
  }

  @Test(arguments: [
    ("a.jpg", "a.jpg"), ("./a.jpg", "a.jpg"), ("a//b.jpg", "a/b.jpg"), ("a/../b.jpg", "b.jpg"), ("a/./b/", "a/b"),
    ("..a/b", "..a/b"),
  ])
  func `a listed name is cleaned`(name: String, path: String) {
    #expect(SourceFolder.listedPath(Array(name.utf8)) == RelativePath(path))
  }

  @Test(arguments: ["", "/a.jpg", "../a.jpg", "a/../../b.jpg", ".", "a/..", "a\0b.jpg"])
  func `a listed name outside the folder is refused`(name: String) {
    #expect(SourceFolder.listedPath(Array(name.utf8)) == nil)
  }
}
