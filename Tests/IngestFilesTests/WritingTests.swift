import Foundation
import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct WritingTests {
  let tree = TestTree()
  let thumbnail = "thumbnails/256/ab/0123456789abcdef0123.jpg"

  @Test func `a file appears whole with its folders and no litter`() throws {
    let output = try tree.output()
    try output.write([1, 2, 3], to: thumbnail)
    try output.syncFolders()
    #expect(tree.content("out/" + thumbnail) == [1, 2, 3])
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `the folder is made with its parents and known by its identity`() throws {
    let output = try OutputFolder.create(tree.bytes(Array("a/b/c".utf8)))
    #expect(output.identity == FolderIdentity.of(tree.bytes(Array("a/b/c".utf8))))
    #expect(FolderIdentity.of(tree.bytes(Array("nowhere".utf8))) == nil)
  }

  @Test func `the umask is respected`() throws {
    let output = try tree.output()
    let mask = umask(0)
    umask(mask)
    try output.write([1], to: thumbnail)
    var status = stat()
    #expect(unsafe stat(tree.cPath("out/" + thumbnail), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666 & ~mask)
    #expect(unsafe stat(tree.cPath("out/thumbnails"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o777 & ~mask)
  }

  @Test func `identical bytes leave the file alone, other bytes of the same length do not`() throws {
    let output = try tree.output()
    let big = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
    try output.write(big, to: thumbnail)
    let before = try tree.identity("out/" + thumbnail)
    let folder = try tree.identity("out/thumbnails/256/ab")
    try output.write(big, to: thumbnail)
    #expect(try tree.identity("out/" + thumbnail) == before)
    #expect(try tree.identity("out/thumbnails/256/ab") == folder)
    var other = big
    other[149_999] ^= 1
    try output.write(other, to: thumbnail)
    #expect(tree.content("out/" + thumbnail) == other)
  }

  @Test(arguments: ["../x", "a/../x", "/x", "a//x", "", ".", "a/", "x\0y"])
  func `a path that is not plainly inside is refused`(path: String) throws {
    let output = try tree.output()
    #expect(throws: FileError.self) { try output.write([1], to: path) }
    #expect(throws: FileError.self) { try output.beginFile(path) }
    #expect(tree.listing() == ["out", "out/.photo-ingest"])
  }

  @Test(arguments: ["out/thumbnails", "out/thumbnails/256", "out/thumbnails/256/ab"])
  func `a planted link in the place of a folder is an error`(place: String) throws {
    let output = try tree.output()
    tree.folder("elsewhere")
    tree.folder((place as NSString).deletingLastPathComponent)
    try tree.link(place, to: tree.path + "/elsewhere")
    let refused = #expect(throws: FileError.self) { try output.write([1], to: thumbnail) }
    #expect(refused?.description == "\(place.dropFirst(4)): is a symbolic link, which is not followed")
    #expect(tree.listing("elsewhere").isEmpty)
    try output.sweepThumbnails { _ in false }
    #expect(tree.listing("elsewhere").isEmpty)
  }

  @Test func `a planted link in the place of our own folder is an error`() throws {
    tree.folder("out")
    tree.folder("elsewhere")
    try tree.link("out/.photo-ingest", to: "../elsewhere")
    #expect(throws: FileError.self) { try tree.output() }
    #expect(tree.listing("elsewhere").isEmpty)
  }

  @Test func `a planted link in the place of a file is replaced, its target untouched`() throws {
    let output = try tree.output()
    try tree.file("precious", [7])
    tree.folder("out/thumbnails/256/ab")
    try tree.link("out/" + thumbnail, to: tree.path + "/precious")
    try output.write([1], to: thumbnail)
    #expect(tree.content("precious") == [7])
    #expect(tree.content("out/" + thumbnail) == [1])
    try tree.link("out/manifest.jsonl", to: tree.path + "/precious")
    let file = try output.beginFile("manifest.jsonl")
    try file.append([2])
    try file.commit()
    #expect(tree.content("precious") == [7])
    #expect(tree.content("out/manifest.jsonl") == [2])
  }

  @Test func `a folder in the place of a file is an error without litter`() throws {
    let output = try tree.output()
    tree.folder("out/manifest.json")
    #expect(throws: FileError.self) { try output.write([1], to: "manifest.json") }
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `many threads may write at once`() async throws {
    let output = try tree.output()
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let digits = String(number, radix: 16)
          let path = "thumbnails/256/0\(number % 4)/" + String(repeating: "a", count: 18) + digits + ".jpg"
          return (try? output.write([UInt8](repeating: UInt8(number), count: 5000), to: path)) != nil
        }
      }
      for await isWritten in group { #expect(isWritten) }
    }
    try output.syncFolders()
    #expect(tree.listing("out/thumbnails").filter { $0.hasSuffix(".jpg") }.count == 64)
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `an output folder that cannot be written to is refused at once`() async throws {
    tree.folder("out")
    let path = tree.bytes(Array("out".utf8))
    await #expect(processExitsWith: .success) { [path = path as [UInt8]] in
      if getuid() == 0 {
        #expect(setgid(65534) == 0)
        #expect(setuid(65534) == 0)
      } else {
        unsafe chmod(String(decoding: path, as: UTF8.self), 0o555)
      }
      let refused = #expect(throws: FileError.self) { try OutputFolder.create(path) }
      #expect(refused?.reason == "cannot be written to: Permission denied")
    }
  }
}
