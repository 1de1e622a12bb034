import Glibc
import IngestCore
import Testing

@testable import IngestFiles

/// Links, pipes, sockets and devices in the source.
@Suite(.timeLimit(.minutes(1)))
struct ScanKindsTests {
  let tree = TestTree()

  @Test func `pipes, sockets and devices are counted and never opened`() throws {
    try tree.fifo("pipe.jpg")
    try tree.socket("sock.jpg")
    try tree.file("a.jpg")
    let source = try tree.source()
    // Opening the pipe would wait for a writer until the time limit.
    let result = source.scan(.forTests)
    #expect(result.paths == ["a.jpg"])
    #expect(result.leftOut == [.fifo: 1, .socket: 1])
    let pipe = #expect(throws: FileError.self) { try source.open(RelativePath("pipe.jpg")) }
    #expect(pipe?.description == "pipe.jpg: is a FIFO, which is not opened")
    let socket = #expect(throws: FileError.self) { try source.open(RelativePath("sock.jpg")) }
    #expect(socket?.loadFailure.code == .unreadable)
  }

  @Test(.enabled(if: getuid() == 0, "only root may make a device"))
  func `a device is counted and never opened`() throws {
    try #require(unsafe mknod(tree.cPath("zero.jpg"), S_IFCHR | 0o644, 0x105) == 0)
    let result = try tree.source().scan(.forTests)
    #expect(result.candidates.isEmpty)
    #expect(result.leftOut == [.device: 1])
  }

  @Test func `links to folders are not followed, loops included`() throws {
    try tree.file("sub/a.jpg")
    try tree.link("loop", to: ".")
    try tree.link("sub/up.jpg", to: "..")
    try tree.link("etc", to: "/etc")
    let result = try tree.source().scan(.forTests)
    #expect(result.paths == ["sub/a.jpg"])
    #expect(result.leftOut == [.linkToFolder: 3])
  }

  @Test func `a link to a photo that has its own row gets none`() throws {
    try tree.file("sub/a.jpg")
    try tree.link("again.jpg", to: "sub/a.jpg")
    try tree.link("sub/twice.jpg", to: "../again.jpg")
    let result = try tree.source().scan(.forTests)
    #expect(result.paths == ["sub/a.jpg"])
    #expect(result.leftOut == [.link: 2])
  }

  @Test func `a link that leads nowhere, outside or to a file without a row is a row that fails`() throws {
    try tree.file("in/a.jpg").file("outside/b.jpg").file("in/.hidden/c.jpg")
    try tree.link("in/dangling.jpg", to: "gone")
    try tree.link("in/out_link.jpg", to: "/etc/hostname")
    try tree.link("in/b.jpg", to: "../outside/b.jpg")
    try tree.link("in/self.jpg", to: "self.jpg")
    try tree.link("in/annex.jpg", to: ".hidden/c.jpg")
    try tree.link("in/note", to: "gone")
    let source = try SourceFolder.open(tree.bytes(Array("in".utf8)))
    let result = source.scan(.forTests)
    #expect(result.paths == ["a.jpg", "annex.jpg", "b.jpg", "dangling.jpg", "out_link.jpg", "self.jpg"])
    for candidate in result.candidates where candidate.path != RelativePath("a.jpg") {
      #expect(candidate.kind == .link("is a symbolic link, which is not followed"))
      #expect(candidate.identity == nil)
      let refused = #expect(throws: FileError.self) { try source.open(candidate.path) }
      #expect(refused?.reason == "is a symbolic link, which is not followed")
    }
    #expect(result.leftOut == [.hidden: 1, .link: 1])
  }

  @Test func `opening goes through no link on the way`() throws {
    try tree.file("in/a.jpg").file("outside/b.jpg")
    try tree.link("in/door", to: "../outside")
    let source = try SourceFolder.open(tree.bytes(Array("in".utf8)))
    let refused = #expect(throws: FileError.self) { try source.open(RelativePath("door/b.jpg")) }
    #expect(refused?.description == "door/b.jpg: lies behind a symbolic link, which is not followed")
    let behindFile = #expect(throws: FileError.self) { try source.open(RelativePath("a.jpg/b.jpg")) }
    #expect(behindFile?.loadFailure.code == .vanished)
  }
}
