import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManifestReaderTests {
  /// Reads a whole manifest in chunks of `size` bytes and returns also the bytes handed to the digest.
  private func read(
    _ bytes: [UInt8], chunk size: Int = 1 << 20
  ) throws(ManifestFault) -> (rows: [ManifestRow], summary: ManifestReader.Summary, digested: [UInt8]) {
    var reader = ManifestReader()
    var rows: [ManifestRow] = []
    var digested: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + size, bytes.count)
      rows += try reader.feed(bytes[offset..<end]) { digested += $0 }
      offset = end
    }
    return (rows, try reader.finish(), digested)
  }

  private func fault(of text: String) -> ManifestFault? {
    do {
      _ = try read(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  private let header = "{\"format\":\"photo-ingest\",\"order\":\"name\",\"record\":\"header\",\"version\":1}\n"

  private func row(_ index: Int, _ rest: String = "\"path\":\"a\"", status: String = "verified") -> String {
    "{\"index\":\(index),\(rest),\"record\":\"asset\",\"status\":\"\(status)\"}\n"
  }

  private func end(_ count: Int) -> String {
    "{\"assets\":\(count),\"damaged\":0,\"failed\":0,\"record\":\"end\",\"sha256\":\"\(Sample.checksum)\","
      + "\"verified\":\(count)}\n"
  }

  @Test(arguments: [1, 2, 3, 7, 100, 4096, 1 << 20])
  func `what was written comes back, in chunks of any size`(size: Int) throws {
    var random = SeededGenerator(seed: 31)
    let rows = (0..<12).map { _ in Sample.randomRow(&random) }
    let bytes = Sample.manifest(of: rows, order: .captured)
    let result = try read(bytes, chunk: size)
    #expect(result.rows.map(\.path) == rows.map(\.path))
    #expect(result.rows.map(\.status) == rows.map(\.status))
    #expect(result.rows.map(\.index) == Array(rows.indices))
    #expect(result.rows.map(\.sha256) == rows.map(\.sha256))
    #expect(result.rows.map(\.bytes) == rows.map(\.bytes))
    let encoder = ManifestEncoder(order: .captured)
    for (row, read) in zip(rows, result.rows) {
      #expect(read.line + [UInt8(ascii: "\n")] == encoder.row(row).line(index: read.index))
      #expect(read.value["description"]?.stringValue.map { Array($0.utf8) } == row.description.map { Array($0.utf8) })
      let latitude = row.gps?.latitude
      #expect(read.value["gps"]?["latitude"]?.doubleValue == (latitude?.isFinite == true ? latitude : nil))
    }
    #expect(result.summary.order == "captured")
    #expect(result.summary.totals.assets == 12)
    #expect(result.digested == Array(bytes.prefix(Int(result.summary.bytesBeforeEnd))))
    #expect(bytes[result.digested.count...].starts(with: "{\"assets\":12,".utf8))
  }

  @Test func `a manifest cut off at any byte is refused`() {
    let bytes = Sample.manifest(of: [Sample.fullRow(), AssetRow(path: RelativePath("b"), status: .verified)])
    #expect(throws: Never.self) { try read(bytes) }
    for length in 0..<bytes.count {
      #expect(throws: ManifestFault.self) { try read(Array(bytes[..<length])) }
    }
  }

  @Test func `an empty manifest is a good one`() throws {
    let result = try read(Sample.manifest(of: []))
    #expect(result.rows.isEmpty)
    #expect(result.summary.totals == ManifestTotals())
  }

  @Test func `each fault is told with its line`() {
    let cases: [(String, Int, ManifestFault.Kind)] = [
      ("", 1, .empty),
      ("hello\n", 1, .foreign), ("hello", 1, .foreign), ("\n", 1, .foreign), ("{}\n", 1, .foreign),
      ("{\"format\":\"other\",\"order\":\"name\",\"record\":\"header\",\"version\":1}\n", 1, .foreign),
      (String(repeating: "x", count: 100_000), 1, .foreign),
      ("{\"format\":\"photo-ingest\",\"order\":\"name\",\"record\":\"header\",\"version\":2}\n", 1, .unknownVersion(2)),
      (
        "{\"format\":\"photo-ingest\",\"record\":\"header\",\"version\":1}\n", 1,
        .badRecord("the header names no order")
      ),
      (header, 1, .cutOff), (header + row(0), 2, .cutOff), (header + row(0) + "{\"ass", 2, .cutOff),
      (header + "{]\n", 2, .syntax("column 2: a key in double quotes is expected here")),
      (header + "\n" + end(0), 2, .syntax("column 1: the text ends where a value is expected")),
      (header + "[]\n", 2, .badRecord("the key \"record\" is missing")),
      (header + header, 2, .badRecord("there is a second header")),
      (header + row(1), 2, .wrongIndex(expected: 0)), (header + row(0) + row(0), 3, .wrongIndex(expected: 1)),
      (header + "{\"path\":\"a\",\"record\":\"asset\",\"status\":\"failed\"}\n", 2, .badRecord("the row has no index")),
      (header + row(0, "\"a\":1"), 2, .badRecord("the row has no path")),
      (header + row(0, "\"path\":\"\""), 2, .badRecord("the row has no path")),
      (header + row(0, "\"path\":\"a\",\"path_b64\":\"A\""), 2, .badRecord("the row has no path")),
      (header + row(0, "\"path\":\"a\",\"path_b64\":1"), 2, .badRecord("the row has no path")),
      (
        header + row(0, status: "good"), 2,
        .badRecord("the row's status is none of verified, damaged, failed")
      ),
      (
        header + row(0, "\"path\":\"a\",\"sha256\":\"AB\""), 2,
        .badRecord("the row's sha256 is not 64 lower-case hexadecimal digits")
      ),
      (header + row(0) + end(0), 3, .wrongTotals), (header + end(1), 2, .wrongTotals),
      (header + end(0) + "\n", 3, .afterEnd), (header + end(0) + "x", 3, .afterEnd),
      (header + end(0) + end(0), 3, .afterEnd),
      (header + "{\"assets\":0,\"record\":\"end\"}\n", 2, .badRecord("the end record lacks a count")),
      (
        header + end(0).replacing(Sample.checksum, with: "00"), 2, .badRecord("the end record lacks its checksum")
      ),
      (header + String(repeating: " ", count: ManifestReader.maximumLineLength + 1), 2, .lineTooLong),
    ]
    for (text, line, kind) in cases {
      #expect(fault(of: text) == ManifestFault(line: line, kind: kind), "\(text.prefix(200))")
      #expect(!ManifestFault(line: line, kind: kind).description.isEmpty)
    }
  }

  @Test(arguments: [
    "../a", "a/../../b", "..", "/etc/passwd", "a/..", "\\u0000", "a\\u0000b",
  ])
  func `a path that leads out of the source folder is refused`(path: String) {
    #expect(
      fault(of: header + row(0, "\"path\":\"\(path)\""))
        == ManifestFault(line: 2, kind: .badRecord("the row's path leads out of the source folder")))
    let hidden = Base64.encode(Array("../x".utf8))
    #expect(fault(of: header + row(0, "\"path\":\"x\",\"path_b64\":\"\(hidden)\"")) != nil)
  }

  @Test func `odd but harmless paths are read`() throws {
    for path in ["a..b", "..a", "...", "https://host/a/../b.jpg", "./a", "-"] {
      let result = try read(Array((header + row(0, "\"path\":\"\(path)\"") + end(1)).utf8))
      #expect(result.rows.first?.path == RelativePath(path))
    }
  }

  @Test func `records and keys that it does not know are skipped`() throws {
    let text =
      header.replacing("\"version\"", with: "\"novel\":[1],\"version\"")
      + "{\"record\":\"novelty\",\"x\":null}\n" + row(0, "\"novel\":{\"a\":[]},\"path\":\"a\"")
      + "{\"record\":\"novelty\"}\n" + end(1).replacing("\"assets\"", with: "\"a\":0,\"assets\"")
    let result = try read(Array(text.utf8))
    #expect(result.rows.count == 1)
    #expect(result.summary.bytesBeforeEnd == UInt64(result.digested.count))
    #expect(text.utf8.starts(with: result.digested))
  }

  @Test func `an order of a later program is passed on`() throws {
    let text = header.replacing("\"name\"", with: "\"rating\"") + end(0)
    #expect(try read(Array(text.utf8)).summary.order == "rating")
  }

  @Test(arguments: [1, 2])
  func `no damage makes it trap, and none of the counted facts passes unseen`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = Sample.manifest(of: [Sample.fullRow(), AssetRow(path: RelativePath("b"), status: .verified)])
    for _ in 0..<3_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default: damaged.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      if let result = try? read(damaged, chunk: 50) {
        #expect(result.rows.count == result.summary.totals.assets)
      }
    }
  }
}
