import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Asks the same output folder night after night: what was read and why, and whether the result is that of a fresh run.
struct NightStage: Sendable {
  let stage: RunStage

  /// What one run had to say.
  struct Night {
    let result: CommandResult
    /// Why each photo was read.
    let reads: [String: String]
    /// Under which name a photo was known that was not decoded again.
    let known: [String: String]
    let vanished: [String]
    let warnings: [String]
    let summary: Facts

    init(_ result: CommandResult, in stage: RunStage) throws {
      self.result = result
      let records = try result.records()
      let listed = try Facts.lines(of: stage.output + "/.photo-ingest/last-run-photos.jsonl")
      let read = listed.filter { $0.text("record") == "read" }
      reads = Dictionary(uniqueKeysWithValues: read.map { ($0.path, $0.text("reason") ?? "") })
      known = Dictionary(uniqueKeysWithValues: read.compactMap { fact in fact.text("was").map { (fact.path, $0) } })
      vanished = listed.filter { $0.text("record") == "vanished" }.map(\.path)
      warnings = records.filter { $0.text("level") == "warning" }.compactMap { $0.text("text") }
      summary = try #require(records.last)
    }

    var unchanged: Int? { summary.integer("unchanged") }
  }

  init(stage: RunStage) {
    self.stage = stage
  }

  init(_ names: [String]) throws {
    stage = try RunStage(names)
    // Older than any clock step, so that no run has to wait for one.
    for name in names { try stage.setModified(name, seconds: 1_700_000_000) }
  }

  /// Runs with `--json` and wants this exit code.
  func night(
    _ options: [String] = [], code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Night {
    try Night(try await stage.run(["--json"] + options, code: code, sourceLocation: sourceLocation), in: stage)
  }

  /// Holds the output against that of a first run over the same photos, byte by byte.
  func expectFresh(
    _ options: [String] = [], code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let fresh = stage.folder["fresh"]
    let result = try await Command(
      BuiltProgram.path, ["run", stage.source, "--output", fresh, "--quiet"] + options, timeLimit: 50
    ).run()
    #expect(result.end == .exited(code), "\(result)", sourceLocation: sourceLocation)
    let (a, b) = (try FolderState.ofOutput(stage.output).contents, try FolderState.ofOutput(fresh).contents)
    let names = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.map { String(decoding: $0, as: UTF8.self) }
    #expect(names.isEmpty, "\(names)", sourceLocation: sourceLocation)
    try FileManager.default.removeItem(atPath: fresh)
  }

  func thumbnails() -> [String] {
    stage.folder.listing().filter { $0.hasPrefix("out/thumbnails/") && $0.hasSuffix(".jpg") }
  }

  /// The last run's report.
  func report() throws -> Facts {
    try #require(try Facts.lines(of: stage.output + "/.photo-ingest/last-run.json").first)
  }
}
