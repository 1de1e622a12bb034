import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CSVExporterTests {
  private func csv(_ rows: [AssetRow]) throws -> [UInt8] {
    var sizes = ThumbnailSizes()
    for row in rows { sizes.add(row) }
    return try export(Sample.manifest(of: rows), CSVExporter(thumbnailSizes: sizes))
  }

  /// The first row of a CSV as a dictionary.
  private func cells(_ row: AssetRow) throws -> [String: String] {
    let records = try #require(parseCSV(try csv([row])))
    try #require(records.count == 2)
    return Dictionary(uniqueKeysWithValues: zip(records[0], records[1]).filter { !$0.1.isEmpty })
  }

  @Test func `a full row fills every column`() throws {
    let found = try cells(Sample.fullRow())
    let expected = [
      "index": "0", "path": "caf\u{FFFD}", "path_b64": "Y2Fm6Q==", "status": "damaged", "error.code": "truncated",
      "error.message": "the file ends early", "notes": "cmyk-no-marker trailing-data", "bytes": "3141592",
      "modified": "2024-07-01T00:13:00.123456789Z", "sha256": "sha256:\(Sample.checksum)", "format": "jpeg",
      "width": "4000", "height": "3000", "display_width": "3000", "display_height": "4000", "orientation": "6",
      "orientation_source": "exif", "bit_depth": "8", "components": "3", "color": "ycbcr", "progressive": "false",
      "profile": "Display P3", "captured.local": "2024-07-01T02:13:00.65", "captured.offset": "+02:00",
      "captured.source": "exif:DateTimeOriginal", "camera.make": "Canon", "camera.model": "EOS \"R\"",
      "camera.lens": "50mm f/1.8", "exposure.seconds": "0.004", "exposure.f_number": "1.8", "exposure.iso": "100",
      "exposure.focal_length": "50", "gps.latitude": "-33.86", "gps.longitude": "151.2", "gps.altitude": "-2.5",
      "description": "'=1+1", "comment": "two\nlines", "comment_base64": "AP8=", "preview.source": "embedded",
      "preview.width": "160", "preview.height": "120", "verification.method": "scaled",
      "verification.trailing_bytes": "12", "verification.warnings": "1", "original": "originals/caf\u{FFFD}",
      "original_kind": "symlink",
      "thumbnails.64.path": "thumbnails/64/ab/cd.jpg", "thumbnails.64.width": "48", "thumbnails.64.height": "64",
      "thumbnails.64.bytes": "900", "thumbnails.64.sha256": "sha256:\(Sample.checksum)",
      "thumbnails.256.path": "thumbnails/256/ab/cd.jpg", "thumbnails.256.width": "192",
      "thumbnails.256.height": "256", "thumbnails.256.bytes": "9000",
      "thumbnails.256.sha256": "sha256:\(Sample.checksum)",
    ]
    #expect(found == expected)
  }

  @Test func `every value of a row has a column`() throws {
    let value = try JSONReader().read(ManifestEncoder(order: .name).row(Sample.fullRow()).line(index: 0))
    var sizes = ThumbnailSizes()
    sizes.add(row: value)
    #expect(sizes.sizes == [64, 256])
    let columns = Set(CSVExporter(thumbnailSizes: sizes).columnNames)
    #expect(columns.count == CSVExporter(thumbnailSizes: sizes).columnNames.count)
    for member in try #require(value.objectValue) where !["record", "thumbnails", "side_files"].contains(member.key) {
      for name in member.value.objectValue?.map({ "\(member.key).\($0.key)" }) ?? [member.key] {
        #expect(columns.contains(name))
      }
    }
  }

  @Test func `without thumbnails there are no columns for them, and lines end in CRLF`() throws {
    let bytes = try csv([AssetRow(path: RelativePath("a"), status: .verified)])
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("index,path,path_b64,status,error.code,"))
    #expect(lines[0].hasSuffix(",original,original_kind"))
    #expect(lines[1] == "0,a,,verified" + String(repeating: ",", count: 42))
    #expect(lines[2].isEmpty)
  }

  @Test(arguments: ["=1+1.jpg", "+1.jpg", "-dash.jpg", "@SUM(1).jpg", "\ttab.jpg", "\rcr.jpg", "a=1.jpg", " =1.jpg"])
  func `I6, a path that a spreadsheet would run still names the same file`(name: String) throws {
    let runs = "=+-@\t\r".utf8.contains(try #require(name.utf8.first))
    let cell = try cells(AssetRow(path: RelativePath(name), status: .verified))["path"]
    #expect(cell.map { Array($0.utf8) } == Array(((runs ? "./" : "") + name).utf8))
  }

  @Test(arguments: ["=1", "+1", "-1", "@x", "\t=1", "\r=1"])
  func `I6, free text that a spreadsheet would run is made text`(text: String) throws {
    var row = AssetRow(path: RelativePath("a"), status: .failed, error: LoadFailure(.corrupt, text))
    row.description = text
    row.comment = text
    row.profile = text
    row.camera = .init(lens: text, make: text, model: text)
    row.captured = .init(local: text, offset: text, source: text)
    row.format = text
    let found = try cells(row)
    for column in [
      "error.message", "description", "comment", "profile", "camera.lens", "camera.make", "camera.model",
      "captured.local", "captured.offset", "captured.source", "format",
    ] {
      #expect(found[column].map { Array($0.utf8) } == Array("'\(text)".utf8), "\(column)")
    }
  }

  @Test(arguments: [("+02:00", "+02:00"), ("-11:30", "-11:30"), ("+2:00", "'+2:00"), ("+02:0A", "'+02:0A")])
  func `an offset stays what it is`(offset: String, cell: String) throws {
    var row = AssetRow(path: RelativePath("a"), status: .verified)
    row.captured = .init(local: "2024-07-01T02:13:00", offset: offset, source: "exif:DateTimeOriginal")
    #expect(try cells(row)["captured.offset"] == cell)
  }

  @Test func `base64 stays exact even with a plus in front`() throws {
    let path = RelativePath([0xFB, 0xFF, 0xFE])
    let found = try cells(AssetRow(path: path, status: .verified))
    #expect(found["path_b64"] == "+//+")
    #expect(found["path"] == "\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func `hostile rows come back whole`() throws {
    var random = SeededGenerator(seed: 51)
    let rows = (0..<200).map { _ in Sample.randomRow(&random) }
    let records = try #require(parseCSV(try csv(rows)))
    #expect(records.count == rows.count + 1)
    let column = try #require(records[0].firstIndex(of: "description"))
    let pathColumn = try #require(records[0].firstIndex(of: "path"))
    for (record, row) in zip(records.dropFirst(), rows) {
      #expect(record.count == records[0].count)
      #expect(Array(record[pathColumn].utf8) == Array(row.path.display.utf8))
      let text = row.description ?? ""
      let isGuarded = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
      #expect(Array(record[column].utf8) == Array(((isGuarded ? "'" : "") + text).utf8))
    }
  }

  @Test func `values of the wrong kind in a foreign row do no harm`() throws {
    let value = try JSONReader().read(
      Array(
        "{\"bytes\":\"=1+1\",\"camera\":[\"=1\"],\"thumbnails\":[1,{\"size\":\"x\"}],\"sha256\":null,\"width\":{}}".utf8
      ))
    var sizes = ThumbnailSizes()
    sizes.add(row: value)
    var exporter = CSVExporter(thumbnailSizes: sizes)
    let record = try #require(parseCSV(exporter.row(line: [], value: value))?.first)
    #expect(record.filter { !$0.isEmpty } == ["'=1+1"])
  }
}

/// Reads RFC 4180 strictly; nil when the bytes are not.
private func parseCSV(_ bytes: [UInt8]) -> [[String]]? {
  var records: [[String]] = []
  var record: [String] = []
  var offset = 0
  while offset < bytes.count {
    var field: [UInt8] = []
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      while true {
        guard offset < bytes.count else { return nil }
        if bytes[offset] == UInt8(ascii: "\"") {
          offset += 1
          guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
        }
        field.append(bytes[offset])
        offset += 1
      }
    } else {
      while offset < bytes.count, !"\",\r\n".utf8.contains(bytes[offset]) {
        field.append(bytes[offset])
        offset += 1
      }
    }
    record.append(String(decoding: field, as: UTF8.self))
    guard offset < bytes.count else { return nil }
    if bytes[offset] == UInt8(ascii: ",") {
      offset += 1
      guard offset < bytes.count else { return nil }
    } else {
      guard bytes[offset...].starts(with: "\r\n".utf8) else { return nil }
      offset += 2
      records.append(record)
      record = []
    }
  }
  return record.isEmpty ? records : nil
}
