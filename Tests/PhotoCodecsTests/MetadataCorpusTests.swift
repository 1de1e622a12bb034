import Foundation
import IngestTestSupport
import Testing

@testable import PhotoCodecs

/// Holds the values of every JPEG and PNG of the corpus against those of independent readers.
@Suite(.timeLimit(.minutes(1)))
struct MetadataCorpusTests {
  /// Every value that differs from `expected.jsonl`, and why it may.
  static let accepted: [String: String] = [
    "jpeg-broken/hopper_bad_exif.jpg orientation":
      "the directory is cut short; exiftool leaves it out as a whole, this program and two other readers take its 1",
    "jpeg-camera/Sony_DCR-PC110.jpg embedded picture":
      "its stated length reaches one byte past the segment, into the next marker; exiftool reads that byte from the file",
    "jpeg-odd/d_orientation_0.jpg orientation": "0 is outside 1 to 8 and means 1 (and is noted)",
    "jpeg-odd/exif_gps.jpg latitude": "4294967295 degrees lie beyond the poles",
  ]

  @Test(.enabled(if: SharedMaterial.corpus != nil, "the corpus does not lie beside the project"))
  func `the values of the corpus are those that other readers find`() throws {
    var compared = 0
    var differences: [String: String] = [:]
    for picture in try Self.pictures() {
      let facts = picture.tiff.map { ExifBlock.read(tiff: $0) } ?? ExifFacts()
      for field in Self.fields {
        let expected = field.expected(picture.row)
        let found = field.found(facts)
        if expected == nil, found == nil { continue }
        compared += 1
        if !Self.agree(expected, found) {
          differences["\(picture.path) \(field.name)"] = "expected \(expected ?? "-"), found \(found ?? "-")"
        }
      }
    }
    let unexplained = differences.filter { Self.accepted[$0.key] == nil }.map { "\($0.key): \($0.value)" }.sorted()
    let vanished = Self.accepted.keys.filter { differences[$0] == nil }.sorted()
    #expect(unexplained.isEmpty)
    #expect(vanished.isEmpty, "these differences are gone: take them out of the table")
    #expect(compared > 600)
    #expect(Double(compared - differences.count) >= 0.99 * Double(compared))
  }

  @Test(.enabled(if: SharedMaterial.corpus != nil, "the corpus does not lie beside the project"))
  func `pictures whose block cannot wholly be read are these`() throws {
    let broken = try Self.pictures().filter { picture in
      picture.tiff.map { ExifBlock.read(tiff: $0).isBroken } ?? false
    }
    let expected = [
      "jpeg-broken/d_exif_ifd_loop.jpg", "jpeg-broken/d_exif_thumb_out_of_range.jpg",
      "jpeg-broken/exif_typeerror.jpg", "jpeg-broken/hopper_bad_exif.jpg", "jpeg-broken/invalid-exif.jpg",
      "jpeg-broken/truncated_exif_dpi.jpg", "jpeg-camera/Sony_DCR-PC110.jpg", "jpeg-odd/exif_gps_typeerror.jpg",
      "jpeg-odd/multiple_exif.jpg",
    ]
    #expect(broken.map(\.path).sorted() == expected)
  }

  // MARK: - The corpus

  struct Picture {
    let path: String
    let row: [String: Any]
    let tiff: [UInt8]?
  }

  static func pictures() throws -> [Picture] {
    let corpus = try #require(SharedMaterial.corpus)
    let lines = try String(contentsOfFile: corpus + "/expected.jsonl", encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line in
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let path = try #require(row["path"] as? String)
      guard ["jpeg", "png"].contains(row["format"] as? String) else { return nil }
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: corpus + "/" + path)))
      return Picture(path: path, row: row, tiff: MetadataExifFinder.tiff(in: bytes))
    }
  }

  // MARK: - The values

  struct Field: Sendable {
    let name: String
    let expected: @Sendable ([String: Any]) -> String?
    let found: @Sendable (ExifFacts) -> String?
  }

  static let fields: [Field] = [
    Field(
      name: "captured", expected: { captured($0) }, found: { $0.metadata.captured.map { "\($0.local) \($0.source)" } }),
    Field(
      name: "offset",
      expected: { row in captured(row)?.contains("Original") == true ? row.text("OffsetTimeOriginal") : nil },
      found: { facts in
        facts.metadata.captured.flatMap { $0.source == "exif:DateTimeOriginal" ? $0.offset : nil }
      }),
    Field(name: "make", expected: { $0.text("Make") }, found: { $0.metadata.make }),
    Field(name: "model", expected: { $0.text("Model") }, found: { $0.metadata.model }),
    Field(name: "lens", expected: { $0.text("LensModel") }, found: { $0.metadata.lens }),
    Field(name: "iso", expected: { $0.text("ISO") }, found: { $0.metadata.iso.map { "\($0)" } }),
    Field(name: "f number", expected: { $0.text("FNumber") }, found: { $0.metadata.fNumber.map { "\($0)" } }),
    Field(
      name: "seconds", expected: { $0.text("ExposureTime") }, found: { $0.metadata.exposureSeconds.map { "\($0)" } }),
    Field(
      name: "focal length", expected: { $0.text("FocalLength") }, found: { $0.metadata.focalLength.map { "\($0)" } }),
    Field(name: "latitude", expected: { $0.text("GPSLatitude") }, found: { $0.metadata.latitude.map { "\($0)" } }),
    Field(name: "longitude", expected: { $0.text("GPSLongitude") }, found: { $0.metadata.longitude.map { "\($0)" } }),
    Field(name: "altitude", expected: { $0.text("GPSAltitude") }, found: { $0.metadata.altitude.map { "\($0)" } }),
    Field(name: "orientation", expected: { $0.text("orientation") }, found: { $0.orientation.map { "\($0)" } }),
    Field(
      name: "embedded picture",
      expected: { ($0["exif_thumbnail"] as? [String: Any]).flatMap { "\($0["bytes"] ?? 0) \($0["sha256"] ?? "")" } },
      found: { $0.embeddedJPEG.map { "\($0.count) \(MetadataDigest.hex($0))" } }),
  ]

  /// What the row should say of the time, from the raw texts.
  private static func captured(_ row: [String: Any]) -> String? {
    for (date, source) in [("DateTimeOriginal", "exif:DateTimeOriginal"), ("CreateDate", "exif:DateTimeDigitized")] {
      guard let text = row.text(date), text.contains(where: { ("1"..."9").contains($0) }) else { continue }
      let parts = text.split(separator: " ")
      let local = parts[0].replacing(":", with: "-") + "T" + parts[1]
      let fraction = date == "DateTimeOriginal" ? row.text("SubSecTimeOriginal") : nil
      return local + (fraction.map { "." + $0 } ?? "") + " " + source
    }
    return nil
  }

  private static func agree(_ expected: String?, _ found: String?) -> Bool {
    if expected == found { return true }
    guard let expected = expected.flatMap(Double.init), let found = found.flatMap(Double.init) else { return false }
    return abs(expected - found) <= 1e-6 * max(abs(expected), abs(found))
  }
}

extension [String: Any] {
  /// A value as text; nil for null, and for text that is empty.
  func text(_ key: String) -> String? {
    switch self[key] {
    case let text as String: text.isEmpty ? nil : text
    case let number as NSNumber: "\(number)"
    default: nil
    }
  }
}
