import Foundation
import IngestTestSupport
import Testing

@testable import PhotoCodecs

/// Reads blocks that nobody should trust: cut, mutated, looping, and made to cost time and memory.
@Suite(.timeLimit(.minutes(1)))
struct MetadataHostileTests {
  @Test(arguments: [
    [], [0x49], Array("II*\0".utf8), Array("II*\0\u{8}\0\0\0".utf8), Array("XX*\0\u{8}\0\0\0\0\0".utf8),
    Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0], Array("II*\0\0\0\0\0\0\0\0\0\0\0".utf8),
  ])
  func `what has no first directory is broken and empty`(tiff: [UInt8]) {
    #expect(ExifBlock.read(tiff: tiff) == ExifFacts(isBroken: true))
  }

  @Test func `every shortening of a block is read or called broken`() {
    let whole = Self.sample()
    for count in 0..<whole.count {
      let facts = ExifBlock.read(tiff: Array(whole.prefix(count)))
      #expect(facts.isBroken, "\(count) bytes of \(whole.count)")
      #expect(facts.embeddedJPEG == nil)
    }
    #expect(!ExifBlock.read(tiff: whole).isBroken)
  }

  @Test func `thousands of entries that share one large value cost nothing`() {
    // IFD0 has 2,700 different tags, each with the same 32,000 bytes: 86 MB if all were copied.
    var block = Array("II*\0".utf8) + [8, 0, 0, 0]
    let numbers = MetadataBlockBuilder()
    block += numbers.number(2700, 2)
    for tag in 0..<2700 {
      block += numbers.number(0x9000 + tag, 2) + [1, 0] + numbers.number(32000, 4) + [8, 0, 0, 0]
    }
    let sieve = ExifSieve(block + [0, 0, 0, 0])
    #expect(sieve?.block.dropFirst(10).allSatisfy { $0 == 0 } == true)
    #expect(sieve?.isBroken == false)
  }

  @Test func `directories that share bytes are not followed`() {
    // The Exif pointer leads into the middle of IFD0, the GPS pointer to its start, IFD1 to the header.
    var block = MetadataBlockBuilder()
    block.shorts(\.primary, ExifTag.orientation, [8])
    for (tag, target) in [(ExifTag.exifDirectory, 14), (ExifTag.gpsDirectory, 8)] {
      block.bytes(\.primary, tag, format: 4, block.number(target, 4))
    }
    var bytes = block.build()
    bytes[46] = 2
    let facts = ExifBlock.read(tiff: bytes)
    #expect(facts == ExifFacts(orientation: 8, isBroken: true))
  }

  @Test func `a pointer that is text is no pointer`() {
    var block = MetadataBlockBuilder()
    block.text(\.exif, ExifTag.lensModel, "a lens")
    var bytes = block.build()
    #expect(ExifBlock.read(tiff: bytes).metadata.lens == "a lens")
    bytes[12] = 2
    #expect(ExifBlock.read(tiff: bytes) == ExifFacts(isBroken: true))
  }

  @Test(arguments: [true, false])
  func `a picture that is no JPEG or reaches outside is none`(isInside: Bool) {
    var block = MetadataBlockBuilder()
    block.picture = isInside ? [1, 2, 3, 4, 5] : [0xFF, 0xD8, 0xFF, 0xD9]
    let facts = ExifBlock.read(tiff: isInside ? block.build() : block.build().dropLast())
    #expect(facts == ExifFacts(isBroken: !isInside))
  }

  @Test func `a block beyond the limit is read as far as the limit`() {
    var block = MetadataBlockBuilder()
    block.shorts(\.primary, ExifTag.orientation, [6])
    block.text(\.primary, ExifTag.make, "near")
    #expect(ExifBlock.read(tiff: block.build() + Array(repeating: 1, count: 1 << 20)).metadata.make == "near")

    block.bytes(\.primary, ExifTag.imageDescription, format: 2, Array(repeating: 0x61, count: 70_000))
    let facts = ExifBlock.read(tiff: block.build())
    #expect(facts.orientation == 6)
    #expect(facts.metadata.description == nil)
    #expect(facts.isBroken)
  }

  @Test func `mutated blocks neither crash nor hang`() throws {
    var blocks = [Self.sample()]
    if SharedMaterial.corpus != nil {
      blocks += try MetadataCorpusTests.pictures().compactMap(\.tiff).filter { $0.count < 20_000 }
    }
    var random = SeededNumbers(seed: 20_240_701)
    for round in 0..<4000 {
      var tiff = blocks[round % blocks.count]
      for _ in 0..<Int.random(in: 1...8, using: &random) where !tiff.isEmpty {
        // Most of a block is values; its directories are what a reader can stumble over.
        let reach = Bool.random(using: &random) ? min(tiff.count, 512) : tiff.count
        let place = Int.random(in: 0..<reach, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: tiff[place] = UInt8.random(in: 0...255, using: &random)
        case 1: tiff[place] = [0, 1, 8, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: tiff[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: tiff.removeLast(min(tiff.count, Int.random(in: 0..<64, using: &random)))
        }
      }
      Self.check(ExifBlock.read(tiff: tiff), tiff)
    }
  }

  /// What holds for the facts of any bytes.
  private static func check(_ facts: ExifFacts, _ tiff: [UInt8]) {
    let metadata = facts.metadata
    #expect(facts.orientation.map { (1...8).contains($0) } ?? !facts.orientationIgnored)
    #expect(metadata.latitude.map { abs($0) <= 90 } ?? true)
    #expect(metadata.longitude.map { abs($0) <= 180 } ?? true)
    for number in [metadata.altitude, metadata.fNumber, metadata.focalLength, metadata.exposureSeconds] {
      #expect(number?.isFinite ?? true)
    }
    for text in [metadata.make, metadata.model, metadata.lens, metadata.description, metadata.comment] {
      #expect(
        text.map { !$0.isEmpty && $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } } ?? true)
    }
    #expect((facts.embeddedJPEG?.count ?? 0) <= tiff.count)
    #expect(metadata.comment == nil || metadata.commentBase64 == nil)
  }

  private static func sample() -> [UInt8] {
    var block = MetadataBlockBuilder(isLittleEndian: false)
    block.text(\.primary, ExifTag.make, "A maker of cameras")
    block.shorts(\.primary, ExifTag.orientation, [6])
    block.text(\.exif, ExifTag.dateTimeOriginal, "2024:07:01 02:13:00")
    block.bytes(\.exif, ExifTag.userComment, format: 7, Array("UNICODE\0".utf8) + [0, 0x61, 0, 0x62])
    block.rationals(\.gps, ExifTag.latitude, [(52, 1), (30, 1), (0, 1)])
    block.picture = [0xFF, 0xD8, 0xFF, 0xD9]
    return block.build()
  }
}

/// Gives the same numbers for the same seed (splitmix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
