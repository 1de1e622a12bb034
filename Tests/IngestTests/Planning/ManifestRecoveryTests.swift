import Catalogue
import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest

/// A catalogue is filled from a manifest that anybody may have written to.
@Suite(.timeLimit(.minutes(1)))
struct ManifestRecoveryTests {
  private func recovered(_ rows: [AssetRow]) throws -> [String] {
    let folder = try TemporaryFolder()
    let encoder = ManifestEncoder(order: .name)
    let body = encoder.header() + rows.enumerated().flatMap { encoder.row($1).line(index: $0) }
    var totals = ManifestTotals()
    for row in rows { totals.add(row.status) }
    try folder.file(
      "out/manifest.jsonl", body + encoder.end(totals: totals, sha256: SHA256Digest.hex(of: body)))
    let path = Array(folder["out"].utf8)
    let catalogue = try Catalogue.open(":memory:")
    let recovery = ManifestRecovery(
      output: try OutputFolder.create(path), configuration: RunConfiguration(source: [1], output: path),
      lastOptions: nil
    ) { event in
      Issue.record("\(event)")
    }
    try recovery.fill(catalogue)
    return try catalogue.photos(after: nil).map { String(decoding: $0.path, as: UTF8.self) }
  }

  private func row(_ name: String, thumbnails bytes: [Int]) -> AssetRow {
    var row = AssetRow(path: RelativePath(name), status: .verified)
    row.thumbnails = bytes.map {
      AssetRow.Thumbnail(size: 16, width: 16, height: 16, bytes: $0, path: "thumbnails/16/00/0.jpg", sha256: "00")
    }
    return row
  }

  @Test func `rows are taken, and those with thumbnails of an impossible length are read again`() throws {
    let rows = [
      row("a.jpg", thumbnails: [1, 2]), row("b.jpg", thumbnails: [.max, .max]), row("c.jpg", thumbnails: [-1]),
      row("d.jpg", thumbnails: [Int(UInt32.max)]), row("e.jpg", thumbnails: [Int(UInt32.max), 1]),
    ]
    #expect(try recovered(rows) == ["a.jpg", "d.jpg"])
  }
}
