import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct ScanTests {
  let tree = TestTree()

  @Test func `photos are found by extension in any case and by content`() throws {
    try tree.file("a.jpg").file("sub/deeper/B.JPG").file("sub/c.png").file("noext", Array("IMGdata".utf8))
    try tree.file("note.txt").file("empty.txt", []).file("empty.jpg", []).file("jpg").file("x.jpg.bak")
    let result = try tree.source().scan(.forTests)
    #expect(result.paths == ["a.jpg", "empty.jpg", "noext", "sub/c.png", "sub/deeper/B.JPG"])
    #expect(result.leftOut == [.notAPhoto: 4])
    #expect(result.messages.isEmpty)
    #expect(result.candidates.allSatisfy { $0.identity != nil && $0.kind == .file })
  }

  @Test func `what was seen is the state of the file`() throws {
    try tree.file("a.jpg", [9, 9, 9, 9])
    let candidate = try #require(try tree.source().scan(.forTests).candidates.first)
    #expect(try candidate.identity == tree.identity("a.jpg"))
    #expect(candidate.identity?.size == 4)
  }

  @Test func `litter and hidden names are left out by kind`() throws {
    try tree.file("._photo.jpg").file(".DS_Store").file("Thumbs.db").file(".AppleDouble/a.jpg").file("@eaDir/a.jpg")
    try tree.file(".hidden.jpg").file(".git/a.jpg").file("ok.jpg")
    let result = try tree.source().scan(.forTests)
    #expect(result.paths == ["ok.jpg"])
    #expect(result.leftOut == [.appleDouble: 2, .dsStore: 1, .thumbsDb: 1, .eaDir: 1, .hidden: 2])
  }

  @Test func `hidden names are taken when asked for, litter never`() throws {
    try tree.file("._photo.jpg").file(".DS_Store").file(".hidden.jpg").file(".git/a.jpg")
    var options = ScanOptions.forTests
    options.includesHidden = true
    let result = try tree.source().scan(options)
    #expect(result.paths == [".git/a.jpg", ".hidden.jpg"])
    #expect(result.leftOut == [.appleDouble: 1, .dsStore: 1])
  }

  @Test func `names are bytes, twins and line breaks included`() throws {
    let nfc = Array("caf\u{E9}.jpg".utf8)
    let nfd = Array("cafe\u{301}.jpg".utf8)
    let latin1: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".jpg".utf8)
    let long = [UInt8](repeating: UInt8(ascii: "n"), count: 251) + Array(".jpg".utf8)
    let names = [
      nfc, nfd, latin1, long, Array("nl\nname.jpg".utf8), Array("cr\rname.jpg".utf8), Array("crlf\r\n.jpg".utf8),
    ]
    for name in names { try tree.file(name) }
    let folder = Array("bad".utf8) + [0xFF]
    try tree.file(folder + Array("/x.jpg".utf8))

    let source = try tree.source()
    let result = source.scan(.forTests)
    #expect(Set(result.candidates.map(\.path.bytes)) == Set(names + [folder + Array("/x.jpg".utf8)]))
    for candidate in result.candidates {
      let file = try source.open(candidate.path)
      #expect(file.next(10) == [1, 2, 3])
    }
  }

  @Test func `the output folder is left out wherever it lies, by identity`() throws {
    try tree.file("a.jpg").file("deep/out/thumbnails/256/ab/x.jpg")
    var options = ScanOptions.forTests
    options.outputFolder = FolderIdentity.of(tree.bytes(Array("deep/out".utf8)))
    let result = try tree.source().scan(options)
    #expect(result.paths == ["a.jpg"])
    #expect(result.leftOut == [.outputFolder: 1])
  }

  @Test func `globs leave out files and whole folders`() throws {
    try tree.file("a.jpg").file("b.jpg").file("skip/c.jpg").file("skip/d.jpg")
    var options = ScanOptions.forTests
    options.accepts = { $0 != RelativePath("b.jpg") }
    options.entersFolder = { $0 != RelativePath("skip") }
    let result = try tree.source().scan(options)
    #expect(result.paths == ["a.jpg"])
    #expect(result.leftOut == [.excluded: 2])
  }

  @Test func `a tree deeper than any path may be long is scanned and opened`() throws {
    let part = String(repeating: "d", count: 200)
    let levels = 60
    try tree.deepFolders(named: part, levels: levels)
    let source = try tree.source()
    let result = source.scan(.forTests)
    #expect(result.messages.isEmpty)
    #expect(result.candidates.count == 2 * levels)
    let longest = RelativePath(Array(repeating: part, count: levels).joined(separator: "/") + "/p.jpg")
    #expect(longest.bytes.count > Int(PATH_MAX))
    #expect(result.candidates.contains { $0.path == longest })
    let file = try source.open(longest)
    #expect(file.next(9) == [UInt8(ascii: "x")])
    #expect(file.change() == nil)
    #expect(source.scanList([longest], .forTests).candidates.first?.identity == file.identity)
  }

  @Test func `a deep tree takes few descriptors`() async {
    // A process of its own, where nobody else opens files.
    await #expect(processExitsWith: .success) {
      let tree = TestTree()
      try tree.deepFolders(named: "d", levels: 200)
      let source = try tree.source()
      let before = TestTree.openDescriptors()
      var most = 0
      let result = source.scan(.forTests) {
        most = max(most, TestTree.openDescriptors())
        return false
      }
      #expect(result.candidates.count == 400)
      #expect(most - before <= 20)
      #expect(TestTree.openDescriptors() == before)
    }
  }

  @Test func `a list of names alone finds the same as a scan that looks at every file`() throws {
    try tree.file("a.jpg").file("sub/B.JPG").file("noext", Array("IMGdata".utf8)).file("note.txt").file(".hidden.jpg")
    try tree.file("skip/x.jpg").file("sub/no.jpg").file("empty.jpg", [])
    try tree.link("sub/again.jpg", to: "../a.jpg")
    try tree.link("dangling.jpg", to: "nowhere")
    try tree.link("folder", to: "sub")
    var options = ScanOptions.forTests
    options.accepts = { $0 != RelativePath("sub/no.jpg") }
    options.entersFolder = { $0 != RelativePath("skip") }
    let looked = try tree.source().scan(options)
    options.wantsIdentities = false
    let listed = try tree.source().scan(options)
    #expect(looked.paths == ["a.jpg", "dangling.jpg", "empty.jpg", "noext", "sub/B.JPG"])
    #expect(listed.paths == looked.paths && listed.leftOut == looked.leftOut)
    #expect(listed.leftOut[.link] == 1, "the link to a photo that is listed is none of its own")
    #expect(Set(listed.candidates.map(\.kind)) == Set(looked.candidates.map(\.kind)))
  }

  @Test func `a list of names asks no file that is named like a photo`() throws {
    try tree.file("a.jpg").file("noext", Array("IMGdata".utf8))
    var options = ScanOptions.forTests
    options.wantsIdentities = false
    let candidates = try tree.source().scan(options).candidates
    #expect(candidates.filter { $0.identity == nil }.map(\.path) == [RelativePath("a.jpg")])
    #expect(candidates.count == 2)
  }

  @Test func `a scan can be given up`() throws {
    for index in 0..<600 { try tree.file("\(index).jpg") }
    var asked = 0
    let result = try tree.source().scan(.forTests) {
      asked += 1
      return asked > 1
    }
    #expect(result.isCancelled)
    #expect(result.candidates.count < 600)
  }

  @Test func `a missing source and a file as source are errors with a reason`() throws {
    try tree.file("a.jpg")
    let missing = #expect(throws: FileError.self) { try SourceFolder.open(tree.bytes(Array("gone".utf8))) }
    #expect(missing?.description == "\(tree.path)/gone: cannot be opened: No such file or directory")
    let file = #expect(throws: FileError.self) { try SourceFolder.open(tree.bytes(Array("a.jpg".utf8))) }
    #expect(file?.errno == ENOTDIR)
  }

  @Test func `an unreadable folder is a message and the scan goes on`() async throws {
    try tree.file("a.jpg").file("locked/b.jpg").file("open/c.jpg").file("secret.jpg").file("secret.bin")
    unsafe chmod(tree.path + "/locked", 0)
    unsafe chmod(tree.path + "/secret.jpg", 0)
    unsafe chmod(tree.path + "/secret.bin", 0)
    let path = Array(tree.path.utf8)
    // Root may read everything, so a child gives that up first.
    await #expect(processExitsWith: .success) { [path = path as [UInt8]] in
      if getuid() == 0 {
        #expect(setgid(65534) == 0)
        #expect(setuid(65534) == 0)
      }
      let source = try SourceFolder.open(path)
      let result = source.scan(.forTests)
      #expect(result.paths == ["a.jpg", "open/c.jpg", "secret.jpg"])
      #expect(result.messages.map(\.description) == ["locked: cannot be opened: Permission denied"])
      #expect(result.leftOut == [.unreadable: 1])
      let refused = #expect(throws: FileError.self) { try source.open(RelativePath("secret.jpg")) }
      #expect(refused?.loadFailure == LoadFailure(.unreadable, "cannot be opened: Permission denied"))
    }
  }
}
