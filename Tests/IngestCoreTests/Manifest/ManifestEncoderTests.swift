import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManifestEncoderTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: AssetOrder.allCases)
  func `the header names format, order and version`(order: AssetOrder) {
    #expect(
      text(ManifestEncoder(order: order).header())
        == "{\"format\":\"photo-ingest\",\"order\":\"\(order.rawValue)\",\"record\":\"header\",\"version\":1}\n")
  }

  @Test func `the end record counts and carries the checksum`() {
    let totals = ManifestTotals(assets: 6, verified: 3, damaged: 2, failed: 1)
    #expect(
      text(ManifestEncoder(order: .name).end(totals: totals, sha256: Sample.checksum))
        == "{\"assets\":6,\"damaged\":2,\"failed\":1,\"record\":\"end\",\"sha256\":\"\(Sample.checksum)\","
        + "\"verified\":3}\n")
  }

  @Test func `a row with everything has these bytes`() {
    let expected =
      #"{"bit_depth":8,"bytes":3141592,"camera":{"lens":"50mm f/1.8","make":"Canon","model":"EOS \"R\""},"#
      + #""captured":{"local":"2024-07-01T02:13:00.65","offset":"+02:00","source":"exif:DateTimeOriginal"},"#
      + #""color":"ycbcr","comment":"two\nlines","comment_base64":"AP8=","components":3,"description":"=1+1","#
      + #""display_height":4000,"display_width":3000,"error":{"code":"truncated","message":"the file ends early"},"#
      + #""exposure":{"f_number":1.8,"focal_length":50,"iso":100,"seconds":0.004},"format":"jpeg","#
      + #""gps":{"altitude":-2.5,"latitude":-33.86,"longitude":151.2},"height":3000,"index":7,"#
      + #""modified":"2024-07-01T00:13:00.123456789Z","notes":["cmyk-no-marker","trailing-data"],"orientation":6,"#
      + #""orientation_source":"exif","original":"originals/caf"# + "\u{FFFD}"
      + #"","original_kind":"symlink","path":"caf"# + "\u{FFFD}"
      + #"","path_b64":"Y2Fm6Q==","preview":{"height":120,"source":"embedded","width":160},"#
      + #""profile":"Display P3","progressive":false,"record":"asset","sha256":"\#(Sample.checksum)","#
      + #""side_files":[{"bytes":12,"path":"c"# + "\u{FFFD}"
      + #".xmp","path_b64":"Y+kueG1w","sha256":"\#(Sample.checksum)"}],"#
      + #""status":"damaged","thumbnails":[{"bytes":9000,"height":256,"path":"thumbnails/256/ab/cd.jpg","#
      + #""sha256":"\#(Sample.checksum)","size":256,"width":192},{"bytes":900,"height":64,"#
      + #""path":"thumbnails/64/ab/cd.jpg","sha256":"\#(Sample.checksum)","size":64,"width":48}],"#
      + #""verification":{"method":"scaled","trailing_bytes":12,"warnings":1},"width":4000}"# + "\n"
    #expect(text(ManifestEncoder(order: .name).row(Sample.fullRow()).line(index: 7)) == expected)
  }

  @Test func `a row with next to nothing begins with its index`() {
    let row = AssetRow(path: RelativePath("a/b.jpg"), status: .verified)
    #expect(
      text(ManifestEncoder(order: .name).row(row).line(index: 0))
        == "{\"index\":0,\"path\":\"a/b.jpg\",\"record\":\"asset\",\"status\":\"verified\"}\n")
  }

  @Test func `groups of which nothing is known are absent`() {
    var row = AssetRow(path: RelativePath("a"), status: .verified)
    row.camera = .init()
    row.exposure = .init(fNumber: .nan, seconds: .infinity)
    row.gps = .init(altitude: -.infinity, latitude: .nan)
    #expect(
      text(ManifestEncoder(order: .name).row(row).line(index: 0))
        == "{\"index\":0,\"path\":\"a\",\"record\":\"asset\",\"status\":\"verified\"}\n")
  }

  @Test func `F7, 0/1 is a true zero and 0/0 is absent`() {
    var row = AssetRow(path: RelativePath("a"), status: .verified)
    row.gps = .init(altitude: .nan, latitude: 0, longitude: 0)
    #expect(text(ManifestEncoder(order: .name).row(row).bytes).contains("\"gps\":{\"latitude\":0,\"longitude\":0}"))
  }

  @Test func `I4, names that differ only in normal form stay two rows`() {
    let encoder = ManifestEncoder(order: .name)
    let composed = encoder.row(AssetRow(path: RelativePath("caf\u{E9}.jpg"), status: .verified)).bytes
    let decomposed = encoder.row(AssetRow(path: RelativePath("cafe\u{301}.jpg"), status: .verified)).bytes
    #expect(composed != decomposed)
    #expect(!text(composed).utf8.contains { $0 == 0xCC })
    #expect(!text(composed).contains("path_b64"))
  }

  @Test(arguments: Sample.hostileNames)
  func `I5, every name comes back as its exact bytes`(name: [UInt8]) throws {
    let path = RelativePath(Array("album/".utf8) + name)
    let line = ManifestEncoder(order: .name).row(AssetRow(path: path, status: .verified)).line(index: 3)
    let value = try JSONReader().read(line)
    #expect((value["path_b64"] == nil) == path.isExact)
    let bytes =
      value["path_b64"]?.stringValue.flatMap { Base64.decode($0) } ?? value["path"]?.stringValue.map { Array($0.utf8) }
    #expect(bytes == path.bytes)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
  }

  @Test func `keys are sorted by byte at every level and no null is written`() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<300 {
      let row = Sample.randomRow(&random)
      let line = ManifestEncoder(order: .name).row(row).line(index: 12)
      try expectSorted(JSONReader().read(line))
    }
  }

  private func expectSorted(_ value: JSONValue) {
    #expect(value != .null)
    for element in value.arrayValue ?? [] { expectSorted(element) }
    let members = value.objectValue ?? []
    for (left, right) in zip(members, members.dropFirst()) {
      #expect(left.key.utf8.lexicographicallyPrecedes(right.key.utf8), "\(left.key) before \(right.key)")
    }
    for member in members { expectSorted(member.value) }
  }

  @Test func `a spooled row that is part of a larger buffer takes its index too`() {
    let row = ManifestEncoder(order: .name).row(Sample.fullRow())
    let spool = [1, 2, 3] + row.bytes + [4]
    let slice = spool[3..<(3 + row.bytes.count)]
    #expect(ManifestEncoder.line(spooled: slice, indexOffset: row.indexOffset, index: 99) == row.line(index: 99))
  }

  @Test func `totals count by status`() {
    var totals = ManifestTotals()
    for status in [AssetRow.Status.verified, .failed, .verified, .damaged] { totals.add(status) }
    #expect(totals == ManifestTotals(assets: 4, verified: 2, damaged: 1, failed: 1))
  }
}
