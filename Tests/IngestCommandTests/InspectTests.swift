import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct InspectTests {
  static func fullRow() -> AssetRow {
    var row = AssetRow(path: RelativePath("holiday/a.jpg"), status: .verified)
    row.notes = ["trailing-data", "odd-header"]
    row.bytes = 3_141_592
    row.modified = "2024-07-01T00:13:00.650000000Z"
    row.sha256 = String(repeating: "ab", count: 32)
    row.format = "jpeg"
    (row.width, row.height, row.displayWidth, row.displayHeight) = (4000, 3000, 3000, 4000)
    (row.orientation, row.orientationSource) = (6, "exif")
    (row.bitDepth, row.components, row.color, row.isProgressive) = (8, 3, "ycbcr", true)
    row.profile = "Display P3"
    row.captured = .init(local: "2024-07-01T02:13:00.65", offset: "+02:00", source: "exif:DateTimeOriginal")
    row.camera = .init(lens: "35mm F2", make: "Maker", model: "X1")
    row.exposure = .init(fNumber: 2.8, focalLength: 35, iso: 100, seconds: 0.008)
    row.gps = .init(altitude: 12, latitude: 59.3293, longitude: -18.0686)
    row.description = "two\nlines\u{1B}[2J"
    row.preview = .init(source: .embedded, width: 160, height: 120)
    row.verification = .init(method: .scaled, trailingBytes: 12, warnings: 1)
    return row
  }

  @Test func `both events and every fact are aligned lines`() {
    let stage = Stage(engine: ScriptedEngine(rows: [Self.fullRow()]))
    #expect(stage.run("inspect", "holiday/a.jpg") == .code(0))
    #expect(
      stage.output.text == """
        holiday/a.jpg
          stand-in     embedded, 160 x 120
          verdict      verified
          format       jpeg, progressive, ycbcr, 3 components, 8 bits
          size         4000 x 3000, shown 3000 x 4000, orientation 6 from exif
          profile      Display P3
          captured     2024-07-01T02:13:00.65 +02:00 (exif:DateTimeOriginal)
          camera       Maker X1, 35mm F2
          exposure     1/125 s, f/2.8, ISO 100, 35 mm
          gps          latitude 59.3293, longitude -18.0686, altitude 12 m
          description  two\\nlines\\x1b[2J
          file         3141592 bytes, modified 2024-07-01T00:13:00.650000000Z
          sha256       \(String(repeating: "ab", count: 32))
          check        scaled, 1 warning, 12 trailing bytes
          notes        odd-header, trailing-data

        """)
    #expect(stage.errors.text == "")
  }

  @Test func `a photo that is not verified gives code 3 and its reason`() {
    let bad = AssetRow(path: RelativePath("b.jpg"), status: .damaged, error: LoadFailure(.truncated, "cut short"))
    let stage = Stage(engine: ScriptedEngine(rows: [Self.fullRow(), bad]))
    #expect(stage.run("inspect", "b.jpg", "holiday/a.jpg") == .code(3))
    #expect(stage.output.text.hasPrefix("b.jpg\n  verdict      damaged: truncated: cut short\n\nholiday/a.jpg\n"))
  }

  @Test func `a file that cannot be read is one that is not verified`() {
    let stage = Stage(engine: ScriptedEngine())
    #expect(stage.run("inspect", "none.jpg") == .code(3))
    #expect(stage.errors.text == "photo-ingest: error: none.jpg: cannot be opened: No such file or directory\n")
  }

  @Test func `as JSON there are the degraded record and the row`() throws {
    let stage = Stage(engine: ScriptedEngine(rows: [Self.fullRow()]))
    #expect(stage.run("inspect", "--json", "holiday/a.jpg") == .code(0))
    #expect(stage.output.lines.count == 2)
    #expect(
      stage.output.lines[0]
        == #"{"index":0,"path":"holiday/a.jpg","preview":{"height":120,"source":"embedded","width":160},"record":"degraded"}"#
    )
    let row = try JSONReader().read(Array(stage.output.lines[1].utf8))
    #expect(row["record"]?.stringValue == "asset")
    #expect(row["status"]?.stringValue == "verified")
    #expect(row["index"]?.integerValue == 0)
  }

  @Test func `limits reach the inspection, from the environment too`() {
    let stage = Stage(
      engine: ScriptedEngine(rows: [Self.fullRow()]), environment: ["PHOTO_INGEST_MAX_PIXELS": "1M"])
    #expect(stage.run("inspect", "--decode", "full", "--timeout=3", "holiday/a.jpg") == .code(0))
    #expect(stage.engine.inspected?.decoding == .full)
    #expect(stage.engine.inspected?.limits.timeout == .seconds(3))
    #expect(stage.engine.inspected?.limits.maxPixels == 1_000_000)
  }

  @Test func `without a file it is a usage error`() {
    let stage = Stage()
    #expect(stage.run("inspect") == .code(2))
    #expect(stage.errors.text == "photo-ingest: error: FILE: missing; inspect needs it\n")
  }
}

@Suite(.timeLimit(.minutes(1))) struct ExportTests {
  @Test func `the pieces go to stdout and what is left out is said`() {
    let stage = Stage(engine: ScriptedEngine(pieces: [[0x61], [0xFF]]))
    #expect(stage.run("export", "--format", "csv", "out") == .code(0))
    #expect(stage.output.bytes == [0x61, 0xFF])
    #expect(stage.errors.text == "2 photos left out: csv has no place for them\n")
    #expect(stage.engine.lastExport?.format == .csv)
    #expect(stage.engine.lastExport?.directory == Array("out".utf8))
  }

  @Test(arguments: [
    (["export", "out"], "--format F: missing; export needs it"),
    (["export", "--format", "json"], "DIR: missing; export needs it"),
    (["export", "--format", "json", "a", "b"], "\"b\": one operand too many for export"),
    (
      ["export", "--format", "bagit", "-o", "x", "a"],
      "--output: \"x\" is no place for a bag, which goes to DIR/bag"
    ),
    (
      ["export", "--format", "jsn", "a"],
      "--format: \"jsn\" is none of json, csv, sha256, bagit, prometheus; did you mean \"json\"?"
    ),
  ])
  func `mistakes are usage errors`(words: [String], sentence: String) {
    let stage = Stage()
    #expect(Command.run(stage.surroundings(words.map { Array($0.utf8) })) == .code(2))
    #expect(stage.errors.text == "photo-ingest: error: \(sentence)\n")
  }

  @Test func `the environment of a run names no file for an export`() {
    let stage = Stage(engine: ScriptedEngine(pieces: [[0x61]]), environment: ["PHOTO_INGEST_OUTPUT": "elsewhere"])
    #expect(stage.run("export", "--format", "json", "out") == .code(0))
    #expect(stage.output.text == "a")
  }
}
