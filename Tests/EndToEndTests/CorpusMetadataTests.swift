import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds the metadata of every row against exiftool's reading of the same file.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: SharedMaterial.isAvailable, "the shared corpus is not beside the project"))
struct CorpusMetadataTests {
  /// Values that differ, by path and key, each with its reason.
  static let accepted: [String: String] = [
    "jpeg-odd/exif_gps.jpg latitude": "4,294,967,295 degrees lie beyond the poles: absent"
  ]

  @Test func `capture time, camera, exposure and position are exiftool's`() throws {
    let run = try SharedRun.corpus.get()
    var compared = 0
    var differences: [String: String] = [:]
    for photo in Corpus.photos {
      let row = try run.row(photo.path)
      guard row.code != "too-large", row.code != "unsupported" else { continue }
      func compare(_ key: String, _ ours: String?, _ expected: String?) {
        guard ours != nil || expected != nil else { return }
        compared += 1
        if ours != expected {
          differences["\(photo.path) \(key)"] = "\(ours ?? "nothing"), not \(expected ?? "nothing")"
        }
      }
      func compare(_ key: String, _ group: String, _ inner: String, _ expected: Double?) {
        let ours = row[group, inner]?.doubleValue
        guard ours != nil || expected != nil else { return }
        let isClose = ours.flatMap { ours in expected.map { abs(ours - $0) <= 1e-6 * max(1, abs($0)) } } ?? false
        compare(key, isClose ? "equal" : ours.map { "\($0)" }, isClose ? "equal" : expected.map { "\($0)" })
      }
      compare("captured", row.captured?.local, Self.local(photo))
      compare("offset", row.captured?.offset, row.captured == nil ? nil : photo.text("OffsetTimeOriginal"))
      compare("make", row["camera", "make"]?.stringValue, photo.text("Make"))
      compare("model", row["camera", "model"]?.stringValue, photo.text("Model").flatMap { $0.isEmpty ? nil : $0 })
      compare("lens", row["camera", "lens"]?.stringValue, photo.text("LensModel"))
      compare("iso", "exposure", "iso", photo.number("ISO").flatMap { $0 > 0 ? $0 : nil })
      compare("f_number", "exposure", "f_number", photo.number("FNumber").flatMap { $0 > 0 ? $0 : nil })
      compare("seconds", "exposure", "seconds", photo.number("ExposureTime").flatMap { $0 > 0 ? $0 : nil })
      compare("focal_length", "exposure", "focal_length", photo.number("FocalLength").flatMap { $0 > 0 ? $0 : nil })
      compare("latitude", "gps", "latitude", photo.number("GPSLatitude"))
      compare("longitude", "gps", "longitude", photo.number("GPSLongitude"))
      compare("altitude", "gps", "altitude", photo.number("GPSAltitude"))
    }
    #expect(compared > 400)
    #expect(Double(differences.count) <= 0.01 * Double(compared), "\(differences.count) of \(compared)")
    #expect(Set(differences.keys) == Set(Self.accepted.keys), "\(differences)")
  }

  /// The manifest's form of the raw EXIF text; DateTimeDigitized (CreateDate) where there is no DateTimeOriginal.
  private static func local(_ photo: Facts) -> String? {
    let own = photo.text("DateTimeOriginal")
    let subseconds = own == nil ? nil : photo.text("SubSecTimeOriginal")
    guard let text = own ?? photo.text("CreateDate"), text.utf8.count >= 19, text.first?.isNumber == true,
      !text.hasPrefix("0000")
    else { return nil }
    let date = text.prefix(10).replacing(":", with: "-")
    let digits = (subseconds ?? "").prefix { $0.isNumber }
    return "\(date)T\(text.dropFirst(11).prefix(8))" + (digits.isEmpty ? "" : ".\(digits)")
  }
}
