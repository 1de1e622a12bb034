import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Lets the disk become full in the middle of a run.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct FullDiskTests {
  /// Whether a small file system can be mounted here.
  static let canMount: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    guard run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", folder.path]) else { return false }
    return run("/bin/umount", [folder.path])
  }()

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    (try? Command(program, arguments).runBlocking().exitCode) == 0
  }

  @Test(
    .enabled(if: canMount, "mounting a small file system needs root"),
    arguments: [["--thumbnail", "256"], ["--no-thumbnails", "--manifest", "json,csv"]])
  func `J10: a full disk ends the run with 1, the old manifest is whole, and the next run is good`(options: [String])
    async throws
  {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [])])
    try #require(Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=400k", "none", stage.output]))
    defer { _ = Self.run("/bin/umount", [stage.output]) }
    try await stage.run(options, code: 0)
    let old = try FolderState.ofOutput(stage.output)
    for index in 0..<200 { try stage.photo("more/\(index).jpg", index) }
    // Leaves a few pages: enough to begin, not enough to end.
    let ballast = stage.output + "/ballast"
    try #require(Self.run("/bin/sh", ["-c", "head -c 300000 /dev/zero > \"$0\"", ballast]))

    let full = try await stage.run(options, code: 1)
    #expect(full.errorText.contains("No space left on device"), "\(full)")
    let after = try FolderState.ofOutput(stage.output)
    for (name, entry) in old.entries where !name.isEmpty && entry.mode & S_IFMT == S_IFREG {
      #expect(after.entries[name] == entry, "\(String(decoding: name, as: UTF8.self))")
    }
    #expect(stage.litter() == [])
    for name in after.names where name.hasSuffix(".jpg") {
      #expect(after.contents[Array(name.utf8)]?.suffix(2) == [0xff, 0xd9], "\(name) is cut")
    }

    try FileManager.default.removeItem(atPath: ballast)
    for index in 40..<200 { try FileManager.default.removeItem(atPath: stage.source + "/more/\(index).jpg") }
    try #require(Self.run("/bin/mount", ["-o", "remount,size=8m", stage.output]))
    try await stage.run(options, code: 0)
    #expect(try stage.end().integer("assets") == 41)
  }

  @Test(.enabled(if: !BuiltProgram.isSanitized, "a sanitizer writes files of its own"))
  func `a limit on the size of files does the same without root`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--no-thumbnails"], code: 0)
    let old = try FolderState(of: stage.output, leavingOut: [".photo-ingest"])
    for index in 0..<100 { try stage.photo("more/\(index).jpg", index) }
    // In blocks of 512 bytes; the signal that comes with it must not end the program either.
    let result = try await stage.command(["--no-thumbnails"]).after("trap '' XFSZ; ulimit -f 40").run()
    #expect(result.exitCode == 1, "\(result)")
    // SQLite does not keep the system's reason.
    #expect(result.errorText.contains("catalogue.sqlite: cannot be written"), "\(result)")
    #expect(try FolderState(of: stage.output, leavingOut: [".photo-ingest"]).differences(from: old) == [])
    #expect(stage.litter() == [])
  }

  @Test(
    .enabled(if: !BuiltProgram.isSanitized, "a sanitizer needs descriptors of its own"),
    arguments: ["processes", "in-process"])
  func `more jobs than files may be open are fewer jobs, and a warning`(workers: String) async throws {
    let names = (0..<120).map { "sub\($0 % 3)/\($0).jpg" }
    let stage = try RunStage(names)
    let options = ["-j", "64", "--workers", workers, "--originals", "copy", "--manifest", "json,csv,sha256,bagit"]
    let result = try await stage.command(options, timeLimit: 50).after("ulimit -n 64").run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.errorText.contains(
        #/warning: jobs are lowered from 64 to \d+: no more files may be open at once \(ulimit -n\)/#),
      "\(result)")
    #expect(try stage.end().integer("verified") == 120)
    let free = try RunStage(["a.jpg"])
    #expect(try await free.run(["-j", "64"], code: 0).errorText.contains("lowered") == false)
  }

  @Test(.enabled(if: !BuiltProgram.isSanitized, "a sanitizer needs descriptors of its own"))
  func `too few descriptors is a failed row or a failed run, never a hang or a crash`() async throws {
    let stage = try RunStage((0..<20).map { "\($0).jpg" })
    for limit in [8, 12, 16, 24] {
      let result = try await stage.command(["-j", "8"], timeLimit: 20).after("ulimit -n \(limit)").run()
      #expect([0, 1, 3].contains(result.exitCode), "\(limit): \(result)")
    }
  }
}
