import Foundation
import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct ManifestExportTests {
  private let shelf: PhotoShelf
  private let manifest: [UInt8]

  /// Makes a finished output with all manifests that a run writes itself.
  init() throws {
    shelf = try PhotoShelf([
      ("a.jpg", TinyJPEG.baseline.bytes), ("b.jpg", Array(TinyJPEG.baseline.bytes.dropLast(20))),
      ("c.png", TinyPNG(4, 4).bytes),
    ])
    var configuration = shelf.configuration()
    configuration.manifests = [.json, .csv, .sha256]
    let run = IngestRun(configuration)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? run.run(control: CollectionControl(), report: { _ in })
      isDone.signal()
    }
    isDone.wait()
    manifest = try shelf.folder.bytes(of: "out/manifest.jsonl")
  }

  private func export(_ format: ManifestFormat, upTo pieces: Int = .max) async -> Result<([UInt8], left: Int), RunError>
  {
    let export = ManifestExport(directory: Array(shelf.output.utf8), format: format)
    return await onOwnThread {
      let written = Guarded<(bytes: [UInt8], pieces: Int)>(([], 0))
      return Result { () throws(RunError) in
        let left = try export.export(
          to: .pieces { piece in
            written.withLock {
              $0.bytes += piece
              $0.pieces += 1
              return $0.pieces < pieces
            }
          })
        return (written.withLock { $0.bytes }, left)
      }
    }
  }

  private func replaceManifest(_ bytes: [UInt8]) throws {
    try shelf.folder.file("out/manifest.jsonl", bytes)
  }

  @Test(arguments: [ManifestFormat.json, .csv, .sha256])
  func `an export has the bytes that the run wrote`(format: ManifestFormat) async throws {
    let (bytes, left) = try await export(format).get()
    #expect(try bytes == shelf.folder.bytes(of: "out/\(format.fileName)"))
    #expect(!bytes.isEmpty && left == 0)
    let path = shelf.folder["exported"]
    let file = ManifestExport(directory: Array(shelf.output.utf8), format: format)
    _ = try await onOwnThread { () throws(RunError) in try file.export(to: .file(Array(path.utf8))) }
    #expect(try shelf.folder.bytes(of: "exported") == bytes)
  }

  @Test func `a reader that went away ends an export quietly`() async throws {
    for pieces in 1...3 { #expect(try await export(.json, upTo: pieces).get().left == 0) }
  }

  @Test func `a manifest cut off anywhere gives no byte`() async throws {
    let taken = try await onOwnThread {
      var taken: [String] = []
      for count in stride(from: 0, to: manifest.count - 1, by: 11) {
        try replaceManifest(Array(manifest[..<count]))
        let pieces = Count()
        do {
          let export = ManifestExport(directory: Array(shelf.output.utf8), format: .csv)
          _ = try export.export(to: .pieces { _ in pieces.add() > 0 })
          taken.append("cut at \(count)")
        } catch RunError.manifestUnusable(let path, let reason) {
          if pieces.value > 0 || !path.hasSuffix("out/manifest.jsonl") || reason.isEmpty { taken.append(reason) }
        }
      }
      return taken
    }
    #expect(taken == [])
  }

  @Test func `a row that was changed does not agree with the checksum`() async throws {
    let text = String(decoding: manifest, as: UTF8.self)
    try replaceManifest(Array(text.replacingOccurrences(of: "\"width\":40", with: "\"width\":41").utf8))
    guard case .failure(.manifestUnusable(_, let reason)) = await export(.json) else {
      Issue.record("it was taken")
      return
    }
    #expect(reason == "its checksum does not agree with its rows")
  }

  @Test(arguments: [
    "", "{}\n", "no manifest\n", "[1,2]\n", "{\"format\":\"other\",\"record\":\"header\",\"version\":1}\n",
    "{\"format\":\"photo-ingest\",\"order\":\"name\",\"record\":\"header\",\"version\":2}\n", "\u{0}\u{1}\u{2}\n",
  ])
  func `a foreign file is refused`(text: String) async throws {
    try replaceManifest(Array(text.utf8))
    guard case .failure(.manifestUnusable) = await export(.json) else {
      Issue.record("it was taken: \(text)")
      return
    }
  }

  @Test func `what follows the end is refused`() async throws {
    try replaceManifest(manifest + Array("{}\n".utf8))
    guard case .failure(.manifestUnusable(_, let reason)) = await export(.json) else {
      Issue.record("it was taken")
      return
    }
    #expect(reason.contains("follows the end record"), "\(reason)")
  }

  @Test func `a folder without a manifest is no output`() async throws {
    try FileManager.default.removeItem(atPath: shelf.output + "/manifest.jsonl")
    guard case .failure(.manifestUnusable) = await export(.json) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `a reader of rows may stop early, and is told nothing of the whole`() throws {
    var rows = 0
    let summary = try FinishedManifest(directory: Array(shelf.output.utf8)).read { _ throws(RunError) in
      rows += 1
      return false
    }
    #expect(rows == 1 && summary == nil)
    let whole = try FinishedManifest(directory: Array(shelf.output.utf8)).read { _ throws(RunError) in true }
    #expect(whole?.totals == ManifestTotals(assets: 3, verified: 2, damaged: 1))
    #expect(whole?.order == "name")
  }
}
