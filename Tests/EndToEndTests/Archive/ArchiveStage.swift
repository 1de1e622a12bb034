import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Does to a run stage what tests of originals, bags and `verify` do.
extension RunStage {
  /// Runs another command of the program on the output.
  func invoke(_ arguments: [String], code: Int32, sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> CommandResult
  {
    let result = try await Command(BuiltProgram.path, arguments, timeLimit: 40).run()
    #expect(result.end == .exited(code), "\(result)", sourceLocation: sourceLocation)
    return result
  }

  /// The findings of `verify --json`, each as `kind part path`, in order.
  func findings(_ options: [String] = [], code: Int32, sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> [String]
  {
    let result = try await invoke(
      ["verify", "--json", output] + options, code: code, sourceLocation: sourceLocation)
    let records = try result.records()
    #expect(records.last?.integer("exit_code") == Int(code), "\(result)", sourceLocation: sourceLocation)
    return records.filter { $0.text("record") == "finding" }.map {
      "\($0.text("kind") ?? "") \($0.text("part") ?? "") \($0.path)"
    }
  }

  /// Puts bytes at the end of a file below the stage.
  func append(_ name: String, _ bytes: [UInt8] = [0]) throws {
    try folder.file(name, folder.bytes(of: name) + bytes)
  }

  /// Turns one bit of a file over in its place: other names of it see that, and its size stays.
  func rot(_ name: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder[name]))
    defer { try? file.close() }
    let middle = try folder.bytes(of: name).count / 2
    try file.seek(toOffset: UInt64(middle))
    try file.write(contentsOf: [try folder.bytes(of: name)[middle] ^ 1])
  }

  /// Puts a symbolic link in the place of whatever is there.
  func replaceByLink(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: folder[name])
    try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: target)
  }

  func replaceByFIFO(_ name: String) throws {
    try? FileManager.default.removeItem(atPath: folder[name])
    try #require(unsafe mkfifo(folder[name], 0o644) == 0)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder[name])
  }

  /// The manifest with other rows, its end record made right again.
  func rewriteManifest(_ change: (String) -> String) throws {
    try rewriteLines { $0.map(change) }
  }

  /// The manifest with other lines before its end record, which is made right again.
  func rewriteLines(_ change: ([String]) throws -> [String]) throws {
    let lines = String(decoding: try manifest, as: UTF8.self).split(separator: "\n").map(String.init)
    let body = try change(lines.dropLast()).map { $0 + "\n" }.joined()
    let file = try folder.file("body", Array(body.utf8))
    let sum = try Command("/usr/bin/sha256sum", [file]).runBlocking().outputText.prefix(64)
    let end = try #require(lines.last).replacing(/[0-9a-f]{64}/, with: sum)
    try folder.file("out/manifest.jsonl", Array((body + end + "\n").utf8))
  }

  /// Folders that the program has left under `.photo-ingest/`.
  func foldersOfItsOwn() -> [String] {
    folder.listing().filter { $0.hasPrefix("out/.photo-ingest/") && $0.hasSuffix("/") && $0 != "out/.photo-ingest/" }
  }

  func links(_ name: String) -> Int {
    var status = stat()
    return unsafe lstat(folder[name], &status) == 0 ? Int(status.st_nlink) : 0
  }

  func isLink(_ name: String) -> Bool {
    var status = stat()
    return unsafe lstat(folder[name], &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
