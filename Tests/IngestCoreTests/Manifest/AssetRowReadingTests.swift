import IngestCore
import IngestTestSupport
import Testing

/// A row that was written is read back as it was, or not at all.
@Suite(.timeLimit(.minutes(1)))
struct AssetRowReadingTests {
  private let encoder = ManifestEncoder(order: .name)

  private func same(_ row: AssetRow) -> Bool {
    let encoded = encoder.row(row)
    return AssetRow(line: encoded.bytes) == row && AssetRow(line: encoded.line(index: 12).dropLast()) == row
  }

  @Test func `full, bare and in-between rows come back`() {
    #expect(same(Sample.fullRow()))
    #expect(same(AssetRow(path: RelativePath("a.jpg"), status: .verified)))
    for code in FailureCode.allCases {
      #expect(same(AssetRow(path: RelativePath([0xFF]), status: .failed, error: LoadFailure(code, "a \"word\"\n"))))
    }
    var row = Sample.fullRow()
    row.exposure = .init(fNumber: 2, focalLength: 0.1, iso: nil, seconds: 1e-7)
    row.gps = .init(altitude: nil, latitude: 0, longitude: -0.000001)
    row.bytes = UInt64(Int64.max)
    row.description = "\u{0}\u{1F}\u{7F} \u{2028} e\u{301}"
    #expect(same(row))
  }

  @Test(arguments: [
    "", "{}", "[1]", #"{"record":"asset"}"#, #"{"path":"a","record":"asset","status":"verified","later":1}"#,
    #"{"path":"a","record":"asset","status":"failed"}"#, #"{"path":"a","status":"verified","record":"asset"}"#,
    #"{"bytes":1.5,"path":"a","record":"asset","status":"verified"}"#,
    #"{"path":"a","path_b64":"!","record":"asset","status":"verified"}"#,
  ])
  func `what this program would not write is no row`(text: String) {
    #expect(AssetRow(line: Array(text.utf8)) == nil)
  }

  @Test(arguments: [("bytes", -1), ("height", -2), ("size", Int.min), ("width", -3)])
  func `a thumbnail has no measure below zero`(key: String, value: Int) {
    var thumbnail = AssetRow.Thumbnail(size: 4, width: 3, height: 2, bytes: 1, path: "t.jpg", sha256: "00")
    switch key {
    case "bytes": thumbnail.bytes = value
    case "height": thumbnail.height = value
    case "size": thumbnail.size = value
    default: thumbnail.width = value
    }
    var row = AssetRow(path: RelativePath("a.jpg"), status: .verified)
    row.thumbnails = [thumbnail]
    #expect(AssetRow(line: encoder.row(row).bytes) == nil)
  }
}
