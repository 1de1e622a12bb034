import IngestCore
import IngestFiles

/// Reads manifests: the rows, or the fault, do not depend on how the bytes came, and each row can be taken over.
enum ManifestTarget: FuzzTarget {
  static let name = "manifest"

  private struct Reading: Equatable {
    var rows: [ManifestRow] = []
    var covered: [UInt8] = []
    var summary: ManifestReader.Summary?
    var fault: ManifestFault?

    init(_ bytes: [UInt8], step: Int) {
      var reader = ManifestReader()
      var rest = bytes[...]
      do throws(ManifestFault) {
        while !rest.isEmpty {
          var covered: [UInt8] = []
          rows += try reader.feed(rest.prefix(step)) { covered += $0 }
          self.covered += covered
          rest = rest.dropFirst(step)
        }
        summary = try reader.finish()
      } catch {
        fault = error
      }
    }
  }

  static func run(_ bytes: [UInt8]) {
    let whole = Reading(bytes, step: .max)
    let pieces = Reading(bytes, step: 7)
    precondition(whole.summary == pieces.summary && whole.fault == pieces.fault, "the end depends on the pieces")
    guard let summary = whole.summary else { return }
    precondition(whole.rows == pieces.rows && whole.covered == pieces.covered, "the rows depend on the pieces")
    precondition(summary.totals.assets == whole.rows.count, "the rows are not as many as the end says")
    precondition(UInt64(whole.covered.count) == summary.bytesBeforeEnd, "the checksum covers other bytes")
    for (index, row) in whole.rows.enumerated() {
      precondition(row.index == index && row.path.isContained, "a row is out of its place")
      takeOver(row.line)
    }
  }

  /// Does with a row what a run does that has lost its catalogue.
  private static func takeOver(_ line: some Collection<UInt8>) {
    guard let row = AssetRow(line: line) else { return }
    precondition(row.thumbnails.allSatisfy { $0.bytes >= 0 }, "a thumbnail is shorter than nothing")
    guard let text = row.modified, let time = FileIdentity.time(rfc3339: text) else { return }
    precondition((0..<1_000_000_000).contains(time.nanoseconds), "a second has other nanoseconds")
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    let encoder = ManifestEncoder(order: .name)
    let rows = [
      #"{"bytes":3,"captured":{"local":"2024-07-01T02:13:00.65","offset":"+02:00","source":"exif:DateTimeOriginal"},"#
        + #""format":"jpeg","gps":{"latitude":-1.5e0},"index":0,"modified":"2024-07-01T02:13:00.000000005Z","notes":["odd-header"],"path":"a/\u00e9 \ud83d\ude00.jpg","#
        + #""record":"asset","sha256":"\#(String(repeating: "0f", count: 32))","status":"verified"}"#,
      #"{"error":{"code":"truncated","message":"it ends"},"index":1,"path":"caf\ufffd.jpg","path_b64":"Y2Fm6S5qcGc=","#
        + #""record":"asset","status":"damaged"}"#,
      #"{"later":[1,-0.5,true,null,{}],"record":"unknown"}"#,
      #"{"error":{"code":"empty","message":"the file is empty"},"index":2,"path":"z.png","record":"asset","status":"failed"}"#,
    ]
    let body = encoder.header() + rows.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    let totals = ManifestTotals(assets: 3, verified: 1, damaged: 1, failed: 1)
    let whole = body + encoder.end(totals: totals, sha256: String(repeating: "ab", count: 32))
    return [
      whole, body, encoder.header() + encoder.end(totals: ManifestTotals(), sha256: String(repeating: "0", count: 64)),
    ]
  }
}
