import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct JPEGMarkerTests {
  private static let block = TinyExif.block(orientation: 6)

  private func read(_ inserted: [UInt8], into kind: TinyJPEG = .baseline) throws -> ReadPicture {
    let read = try ReadPicture(JPEGSurgery.inserting(inserted, into: kind.bytes))
    #expect(read.fault == nil, "\(read.fault?.message ?? "")")
    return read
  }

  @Test func `the first Exif segment counts, wherever it stands`() throws {
    let xmp = JPEGSurgery.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let second = JPEGSurgery.exif(TinyExif.block(orientation: 3))
    for inserted in [JPEGSurgery.exif(Self.block), xmp + JPEGSurgery.exif(Self.block) + second] {
      #expect(try read(inserted).exif?.tiff == Self.block)
    }
    #expect(try read(xmp).exif == nil)
  }

  @Test func `Exif between scans and behind the last one is found in the end`() throws {
    let bytes = TinyJPEG.progressive.bytes
    let scans = JPEGSurgery.places(of: 0xDA, in: bytes)
    let table = try #require(JPEGSurgery.places(of: 0xC4, in: bytes).first { $0 > scans[0] })
    for place in [table, bytes.count - 2] {
      let read = try ReadPicture(Array(bytes[..<place]) + JPEGSurgery.exif(Self.block) + bytes[place...])
      #expect(read.fault == nil)
      #expect(read.exif?.tiff == Self.block, "at \(place)")
    }
    let single = TinyJPEG.baseline.bytes
    let read = try ReadPicture(single.dropLast(2) + JPEGSurgery.exif(Self.block) + single.suffix(2))
    #expect(read.fault == nil && read.exif?.tiff == Self.block)
  }

  @Test func `a profile is joined by its numbers, not by its places`() throws {
    let parts = [
      JPEGSurgery.profilePart(3, of: 3, [5, 6]), JPEGSurgery.profilePart(1, of: 3, [1, 2]),
      JPEGSurgery.profilePart(2, of: 3, [3, 4]),
    ]
    let read = try read(parts.flatMap { $0 })
    #expect(read.colour.icc == [1, 2, 3, 4, 5, 6] && read.notes == [])
  }

  @Test func `of two profiles the first one counts`() throws {
    let one = JPEGSurgery.profilePart(1, of: 1, [1, 2])
    #expect(try read(one + JPEGSurgery.profilePart(1, of: 1, [9])).colour.icc == [1, 2])
    let other = JPEGSurgery.profilePart(1, of: 2, [9]) + JPEGSurgery.profilePart(2, of: 2, [9])
    #expect(try read(one + other).colour.icc == [1, 2])
  }

  @Test func `parts that make no whole profile are a note`() throws {
    for inserted in [
      JPEGSurgery.profilePart(1, of: 2, [1, 2]), JPEGSurgery.profilePart(0, of: 1, [1]),
      JPEGSurgery.profilePart(2, of: 1, [1]), JPEGSurgery.profilePart(1, of: 1, []),
      JPEGSurgery.segment(0xE2, Array("ICC_PROFILE\0".utf8)),
    ] {
      let read = try read(inserted)
      #expect(read.colour.icc == nil && read.notes == ["profile-ignored"])
    }
    // A stray part beside a whole profile does no harm.
    let whole = JPEGSurgery.profilePart(0, of: 0, []) + JPEGSurgery.profilePart(1, of: 1, [7])
    #expect(try read(whole).colour.icc == [7])
    #expect(try read(whole).notes == [])
  }

  @Test func `the largest profile that fits into its numbers is joined`() throws {
    let part = [UInt8](repeating: 7, count: 65_519)
    let inserted = (1...255).flatMap { JPEGSurgery.profilePart(UInt8($0), of: 255, part) }
    #expect(try read(inserted).colour.icc?.count == 255 * 65_519)
  }

  @Test func `any number of segments leaves a picture as it is`() throws {
    let many = (0..<20_000).flatMap { JPEGSurgery.segment(0xE1, [UInt8(truncatingIfNeeded: $0)]) }
    #expect(try read(many).rows == ReadPicture(TinyJPEG.baseline.bytes).rows)
  }

  @Test(arguments: [0xE1, 0xE2, 0xE5, 0xFE])
  func `a segment whose length does not count itself is passed over`(marker: Int) throws {
    for length in 0...1 {
      let read = try read([0xFF, UInt8(marker), 0, UInt8(length)])
      #expect(read.rowCount == TinyJPEG.height)
    }
  }

  @Test func `an Exif segment that the file ends in is kept as far as it came`() throws {
    let whole = JPEGSurgery.inserting(JPEGSurgery.exif(Self.block), into: TinyJPEG.baseline.bytes)
    let read = try ReadPicture(Array(whole[..<(2 + 4 + 6 + 20)]))
    #expect(read.failure?.code == .truncated)
    #expect(read.exif?.tiff == Array(Self.block[..<20]))
  }

  @Test func `an index of more pictures is a note`() throws {
    #expect(try read(JPEGSurgery.segment(0xE2, Array("MPF\0II*\0".utf8))).notes == ["extra-images"])
  }
}
