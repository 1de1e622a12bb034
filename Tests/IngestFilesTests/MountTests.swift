import Foundation
import Glibc
import IngestCore
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct MountTests {
  /// Whether a small file system can be mounted here.
  static let canMount: Bool = {
    let tree = TestTree()
    guard getuid() == 0, run("mount", "-t", "tmpfs", "-o", "size=1m", "none", tree.path) else { return false }
    return run("umount", tree.path)
  }()

  @discardableResult
  static func run(_ command: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(.enabled(if: canMount, "mounting a small file system needs root"))
  func `a full disk keeps the old file whole and leaves no litter`() throws {
    let tree = TestTree()
    try #require(MountTests.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", tree.path))
    defer { MountTests.run("umount", tree.path) }
    let output = try tree.output()
    let old = [UInt8](repeating: 7, count: 4096)
    try output.write(old, to: "manifest.json")
    let big = [UInt8](repeating: 1, count: 2_000_000)

    let refused = #expect(throws: FileError.self) { try output.write(big, to: "manifest.json") }
    #expect(refused?.description == "manifest.json: cannot be written: No space left on device")
    #expect(refused?.isDiskFull == true)
    let file = try output.beginFile("manifest.json")
    #expect(throws: FileError.self) { try file.append(big) }

    #expect(tree.content("out/manifest.json") == old)
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test(.enabled(if: canMount, "mounting a small file system needs root"))
  func `thumbnails may lie on a file system of their own`() throws {
    let tree = TestTree()
    tree.folder("out/thumbnails")
    let place = tree.path + "/out/thumbnails"
    try #require(MountTests.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", place))
    defer { MountTests.run("umount", place) }
    let output = try tree.output()
    let path = "thumbnails/256/ab/0123456789abcdef0123.jpg"
    try output.write([1, 2], to: path)
    try output.write([3, 4], to: path)
    #expect(tree.content("out/" + path) == [3, 4])
    #expect(throws: FileError.self) { try output.write([UInt8](repeating: 1, count: 2_000_000), to: path) }
    #expect(tree.listing("out/thumbnails") == ["256", "256/ab", "256/ab/0123456789abcdef0123.jpg"])
    #expect(tree.listing("out/.photo-ingest").isEmpty)
  }

  @Test func `a limit on the size of files does the same, also in the middle of a write`() async {
    await #expect(processExitsWith: .success) {
      _ = signal(SIGXFSZ, SIG_IGN)
      let tree = TestTree()
      let output = try tree.output()
      let old = [UInt8](repeating: 7, count: 4096)
      try output.write(old, to: "manifest.json")
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)

      let big = [UInt8](repeating: 1, count: 200_000)
      let refused = #expect(throws: FileError.self) { try output.write(big, to: "manifest.json") }
      #expect(refused?.errno == EFBIG)
      let file = try output.beginFile("manifest.json")
      try file.append([UInt8](repeating: 1, count: 90_000))
      try file.append([UInt8](repeating: 1, count: 20_000))
      #expect(throws: FileError.self) { try file.commit() }

      #expect(tree.content("out/manifest.json") == old)
      #expect(tree.listing("out/.photo-ingest").isEmpty)
    }
  }
}
