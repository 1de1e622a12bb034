import Foundation
import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct PendingFileTests {
  let tree = TestTree()

  @Test func `the final name is left alone until the commit`() throws {
    let output = try tree.output()
    try tree.file("out/manifest.jsonl", [9])
    let file = try output.beginFile("manifest.jsonl")
    try file.append([UInt8](repeating: 1, count: 100_000))
    #expect(tree.content("out/manifest.jsonl") == [9])
    try file.append([2])
    #expect(file.count == 100_001)
    #expect(file.checksum == SHA256Digest.hex(of: [UInt8](repeating: 1, count: 100_000) + [2]))
    try file.commit()
    #expect(tree.content("out/manifest.jsonl") == [UInt8](repeating: 1, count: 100_000) + [2])
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `an abandoned or forgotten file leaves nothing`() throws {
    let output = try tree.output()
    try tree.file("out/manifest.jsonl", [9])
    let abandoned = try output.beginFile("manifest.jsonl")
    try abandoned.append([1])
    abandoned.abandon()
    #expect(throws: FileError.self) { try abandoned.append([1]) }
    #expect(throws: FileError.self) { try abandoned.commit() }
    do {
      let forgotten = try output.beginFile("manifest.jsonl")
      try forgotten.append([1])
    }
    #expect(tree.listing("out/.photo-ingest").isEmpty)
    #expect(tree.content("out/manifest.jsonl") == [9])
  }

  @Test func `identical content is left alone, other content of the same length is not`() throws {
    let output = try tree.output()
    func write(_ bytes: [UInt8]) throws {
      let file = try output.beginFile("manifest.jsonl")
      try file.append(bytes)
      try file.commit()
    }
    try write([UInt8](repeating: 1, count: 70_000))
    let before = try tree.identity("out/manifest.jsonl")
    try write([UInt8](repeating: 1, count: 70_000))
    #expect(try tree.identity("out/manifest.jsonl") == before)
    try write([UInt8](repeating: 1, count: 69_999) + [2])
    #expect(tree.content("out/manifest.jsonl")?.last == 2)
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a disk that fills up is the reason of every later call as well`() throws {
    let output = try tree.output()
    let file = try output.beginFile("manifest.jsonl")
    try file.append([1])
    let name = try #require(tree.listing("out/.photo-ingest").first)
    try fillUp(open: tree.path + "/out/.photo-ingest/" + name)
    let words = ["append", "append", "openToReaders", "commit"].map { call in
      let error = #expect(throws: FileError.self) {
        switch call {
        case "append": try file.append([UInt8](repeating: 2, count: 1 << 20))
        case "openToReaders": try file.openToReaders()
        default: try file.commit()
        }
      }
      return error?.errno
    }
    #expect(words == Array(repeating: ENOSPC, count: 4))
    #expect(tree.content("out/manifest.jsonl") == nil)
  }

  /// Puts a device that is always full behind the descriptor that this process has for a file.
  private func fillUp(open path: String) throws {
    let full = unsafe open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    let number = numbers.first {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    let found = try #require(number)
    try #require(dup2(full, found) >= 0)
  }

  @Test func `a file anywhere is written beside its final name, and only over a regular file`() throws {
    let file = try PendingFile.beside(tree.bytes(Array("export.csv".utf8)))
    try file.append([1, 2])
    try file.commit()
    #expect(tree.listing() == ["export.csv"])
    #expect(tree.content("export.csv") == [1, 2])
    try tree.fifo("pipe")
    let refused = #expect(throws: FileError.self) { try PendingFile.beside(tree.bytes(Array("pipe".utf8))) }
    #expect(refused?.operation == "is there and is no regular file")
  }
}
