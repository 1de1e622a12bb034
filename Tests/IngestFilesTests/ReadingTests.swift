import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct ReadingTests {
  let tree = TestTree()

  private func open(_ content: [UInt8]) throws -> SourceFile {
    try tree.file("sub/a.jpg", content)
    return try tree.source().open(RelativePath("sub/a.jpg"))
  }

  @Test func `one read feeds the decoder and the checksum`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = try open(content)
    var got: [UInt8] = []
    while true {
      let bytes = file.next(4096)
      if bytes.isEmpty { break }
      got += bytes
    }
    #expect(got == content)
    #expect(file.bytesRead == 200_000)
    #expect(file.finishChecksum() == SHA256Digest.hex(of: content))
    #expect(file.change() == nil)
    #expect(file.error == nil)
  }

  @Test func `what the decoder left is in the checksum too`() throws {
    let content = (0..<300_001).map { UInt8(truncatingIfNeeded: $0) }
    let file = try open(content)
    #expect(file.next(10).count == 10)
    #expect(file.finishChecksum() == SHA256Digest.hex(of: content))
    #expect(file.bytesRead == 300_001)
    #expect(!file.hasChanged())
  }

  @Test func `an empty file has the checksum of nothing`() throws {
    let file = try open([])
    #expect(file.next(10).isEmpty)
    #expect(file.finishChecksum() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(file.change() == nil)
  }

  @Test func `a file cut while it is read has changed`() throws {
    let file = try open([UInt8](repeating: 5, count: 10_000))
    #expect(file.next(100).count == 100)
    #expect(unsafe truncate(tree.cPath("sub/a.jpg"), 500) == 0)
    file.drain()
    #expect(file.bytesRead == 500)
    #expect(file.change() == .changed)
  }

  @Test func `a file that grew or was rewritten in place has changed`() throws {
    let file = try open([1, 2, 3])
    file.drain()
    #expect(file.change() == nil)
    let number = unsafe Glibc.open(tree.cPath("sub/a.jpg"), O_WRONLY | O_APPEND)
    #expect(unsafe write(number, "x", 1) == 1)
    close(number)
    #expect(file.change() == .changed)
  }

  @Test func `times put back do not hide a change`() throws {
    let file = try open([1, 2, 3])
    file.drain()
    let before = file.identity
    let number = unsafe Glibc.open(tree.cPath("sub/a.jpg"), O_WRONLY)
    #expect(unsafe write(number, "xyz", 3) == 3)
    close(number)
    let time = timespec(tv_sec: Int(before.modifiedSeconds), tv_nsec: Int(before.modifiedNanoseconds))
    #expect(unsafe utimensat(AT_FDCWD, tree.cPath("sub/a.jpg"), [time, time], 0) == 0)
    #expect(try tree.identity("sub/a.jpg").modifiedRFC3339 == before.modifiedRFC3339)
    #expect(file.change() == .changed)
  }

  @Test func `another file under the name is told apart`() throws {
    let file = try open([1, 2, 3])
    try tree.file("new.jpg", [1, 2, 3])
    #expect(unsafe rename(tree.cPath("new.jpg"), tree.cPath("sub/a.jpg")) == 0)
    file.drain()
    #expect(file.change() == .replaced)
  }

  @Test func `a file that went away is told apart, with its folder or without`() throws {
    let file = try open([1, 2, 3])
    #expect(unsafe unlink(tree.cPath("sub/a.jpg")) == 0)
    #expect(file.change() == .vanished)
    #expect(unsafe rmdir(tree.cPath("sub")) == 0)
    #expect(file.change() == .vanished)
    #expect(file.next(9) == [1, 2, 3])
  }

  @Test func `a link or a pipe that took the name is not opened`() throws {
    let file = try open([1, 2, 3])
    #expect(unsafe unlink(tree.cPath("sub/a.jpg")) == 0)
    try tree.fifo("sub/a.jpg")
    #expect(file.change() == .replaced)
    #expect(throws: FileError.self) { try tree.source().open(RelativePath("sub/a.jpg")) }
  }

  @Test func `a photo that is expected may be anything, and nothing is waited for or changed`() throws {
    try tree.file("a.jpg").file("sub/b.jpg")
    try tree.fifo("pipe.jpg")
    try tree.link("link.jpg", to: "a.jpg")
    let source = try tree.source()
    let before = try tree.identity("a.jpg")
    for name in ["a.jpg", "sub/b.jpg", "pipe.jpg", "link.jpg", "sub", "gone.jpg", "gone/a.jpg", "link.jpg/a.jpg"] {
      source.expect(RelativePath(name))
    }
    #expect(try tree.identity("a.jpg") == before)
    #expect(try source.open(RelativePath("a.jpg")).next(9) == [1, 2, 3])
  }

  @Test func `a reader gives its descriptor back`() throws {
    try tree.file("a.jpg")
    let source = try tree.source()
    // More than a process may hold open.
    for _ in 0..<3000 { _ = try source.open(RelativePath("a.jpg")).finishChecksum() }
  }
}
