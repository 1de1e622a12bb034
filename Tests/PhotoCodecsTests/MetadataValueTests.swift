import Testing

@testable import PhotoCodecs

/// Reads values of blocks made for the purpose, in both byte orders.
@Suite(.timeLimit(.minutes(1)))
struct MetadataValueTests {
  @Test(arguments: [true, false])
  func `every value of a whole block comes out`(isLittleEndian: Bool) {
    var block = MetadataBlockBuilder(isLittleEndian: isLittleEndian)
    block.text(\.primary, ExifTag.make, "Canon")
    block.text(\.primary, ExifTag.model, "EOS  ")
    block.text(\.primary, ExifTag.imageDescription, "A hill")
    block.shorts(\.primary, ExifTag.orientation, [5])
    block.text(\.exif, ExifTag.lensModel, "50 mm")
    block.text(\.exif, ExifTag.dateTimeOriginal, "2024:02:29 23:59:59")
    block.text(\.exif, ExifTag.subSecTimeOriginal, "05 ")
    block.text(\.exif, ExifTag.offsetTimeOriginal, "-03:30")
    block.shorts(\.exif, ExifTag.isoSpeed, [400, 0])
    block.rationals(\.exif, ExifTag.fNumber, [(28, 10)])
    block.rationals(\.exif, ExifTag.focalLength, [(50, 1)])
    block.rationals(\.exif, ExifTag.exposureTime, [(1, 250)])
    block.bytes(\.exif, ExifTag.userComment, format: 7, Array("ASCII\0\0\0hello".utf8))
    block.bytes(\.gps, ExifTag.latitudeRef, format: 2, [0x53, 0])
    block.rationals(\.gps, ExifTag.latitude, [(33, 1), (30, 1), (36, 1)])
    block.bytes(\.gps, ExifTag.longitudeRef, format: 2, [0x57, 0])
    block.rationals(\.gps, ExifTag.longitude, [(70, 1), (3075, 100), (0, 1)])
    block.bytes(\.gps, ExifTag.altitudeRef, format: 1, [1])
    block.rationals(\.gps, ExifTag.altitude, [(4305, 10)])
    block.shorts(\.standIn, ExifTag.orientation, [3])
    block.picture = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]

    var metadata = PhotoMetadata()
    metadata.captured = .init(
      local: "2024-02-29T23:59:59.05", offset: "-03:30", source: "exif:DateTimeOriginal")
    metadata.make = "Canon"
    metadata.model = "EOS"
    metadata.lens = "50 mm"
    metadata.fNumber = 2.8
    metadata.focalLength = 50
    metadata.exposureSeconds = 0.004
    metadata.iso = 400
    metadata.latitude = -33.51
    metadata.longitude = -70.5125
    metadata.altitude = -430.5
    metadata.description = "A hill"
    metadata.comment = "hello"
    let expected = ExifFacts(
      metadata: metadata, orientation: 5, orientationIgnored: false, embeddedJPEG: block.picture, isBroken: false)
    #expect(ExifBlock.read(tiff: block.build()) == expected)
  }

  @Test(arguments: [0, 9, 256, 65535])
  func `an orientation outside 1 to 8 is ignored and said so`(value: Int) {
    var block = MetadataBlockBuilder()
    block.shorts(\.primary, ExifTag.orientation, [value])
    let facts = ExifBlock.read(tiff: block.build())
    #expect(facts.orientation == 1)
    #expect(facts.orientationIgnored)
  }

  @Test(arguments: [
    ("2024:07:01 02:13:00", "2024-07-01T02:13:00"), ("2024-07-01T02:13:00", "2024-07-01T02:13:00"),
    ("2050:01:01 00:00:00 \0", "2050-01-01T00:00:00"), ("2016:12:31 23:59:60", "2016-12-31T23:59:60"),
    ("0000:00:00 00:00:00", nil), ("    :  :     :  :  ", nil), ("", nil), ("                   ", nil),
    ("2023:02:29 10:00:00", nil), ("1900:02:29 10:00:00", nil), ("2023:13:01 10:00:00", nil),
    ("2023:00:01 10:00:00", nil), ("2023:01:32 10:00:00", nil), ("2023:01:01 24:00:00", nil),
    ("2023:01:01 10:60:00", nil), ("2023:01:01 10:00:61", nil), ("2023:01:01", nil), ("2023:01:01 1a:00:00", nil),
    ("2023:01:01 10:00:00+02:00", nil), ("+023:01:01 10:00:00", nil),
  ])
  func `a date is digits that a calendar knows`(text: String, local: String?) {
    #expect(ExifClock.localTime(Array(text.utf8)) == local)
  }

  @Test(arguments: [
    ("7", "7"), ("65\0", "65"), ("050  ", "050"), (" 12", "12"), ("", nil), ("   ", nil), ("1a", nil), ("-1", nil),
    ("1234567890123", "123456789"),
  ])
  func `sub-seconds are a decimal fraction`(text: String, digits: String?) {
    #expect(ExifClock.subSeconds(Array(text.utf8)) == digits)
  }

  @Test(arguments: [
    ("+02:00", "+02:00"), ("-09:30\0", "-09:30"), ("+00:00", "+00:00"), ("Z", "+00:00"), ("   :  ", nil),
    ("+0200", nil),
    ("02:00", nil), ("+15:00", nil), ("+02:60", nil), ("+2:00", nil), ("", nil),
  ])
  func `an offset has one form`(text: String, offset: String?) {
    #expect(ExifClock.zoneOffset(Array(text.utf8)) == offset)
  }

  @Test func `without an original time the digitized one counts, with its own fraction and offset`() {
    var block = MetadataBlockBuilder()
    block.text(\.exif, ExifTag.dateTimeOriginal, "0000:00:00 00:00:00")
    block.text(\.exif, ExifTag.subSecTimeOriginal, "11")
    block.text(\.exif, ExifTag.offsetTimeOriginal, "+01:00")
    block.text(\.exif, ExifTag.dateTimeDigitized, "2001:02:03 04:05:06")
    block.text(\.exif, ExifTag.subSecTimeDigitized, "22")
    block.text(\.exif, ExifTag.offsetTimeDigitized, "+09:00")
    let expected = PhotoMetadata.Captured(
      local: "2001-02-03T04:05:06.22", offset: "+09:00", source: "exif:DateTimeDigitized")
    #expect(ExifBlock.read(tiff: block.build()).metadata.captured == expected)
  }

  static let latitudes: [(parts: [(Int, Int)], degrees: Double?)] = [
    ([(0, 1), (0, 1), (0, 1)], 0.0),
    ([(90, 1), (0, 1), (0, 1)], 90.0),
    ([(52, 1), (30, 1)], 52.5),
    ([(10, 1)], 10.0),
    ([(0, 0), (0, 0), (0, 0)], nil),
    ([(52, 1), (30, 0), (0, 1)], nil),
    ([(52, 1), (30, 1), (0, 0)], nil),
    ([(90, 1), (0, 1), (1, 1)], nil),
    ([(4_294_967_295, 1), (0, 1), (0, 1)], nil),
  ]

  @Test(arguments: latitudes)
  func `a latitude is made of numbers and lies between the poles`(parts: [(Int, Int)], degrees: Double?) {
    for ref in [UInt8(ascii: "N"), UInt8(ascii: "S")] {
      var block = MetadataBlockBuilder()
      block.bytes(\.gps, ExifTag.latitudeRef, format: 2, [ref, 0])
      block.rationals(\.gps, ExifTag.latitude, parts)
      let latitude = ExifBlock.read(tiff: block.build()).metadata.latitude
      #expect(latitude == degrees.map { ref == UInt8(ascii: "S") ? -$0 : $0 })
      #expect(latitude.map { "\($0)" } != "-0.0")
    }
  }

  @Test func `fractions over zero, zeros and negative numbers are unknown`() {
    var block = MetadataBlockBuilder(isLittleEndian: false)
    block.shorts(\.exif, ExifTag.isoSpeed, [0])
    block.rationals(\.exif, ExifTag.fNumber, [(0, 1)])
    block.rationals(\.exif, ExifTag.focalLength, [(5, 0)])
    block.rationals(\.exif, ExifTag.exposureTime, format: 10, [(-1, 3)])
    block.bytes(\.gps, ExifTag.altitude, format: 12, block.number(0x7FF8_0000_0000_0000, 8))
    #expect(ExifBlock.read(tiff: block.build()).metadata == PhotoMetadata())
  }
}
