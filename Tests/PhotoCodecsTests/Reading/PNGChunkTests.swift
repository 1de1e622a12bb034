import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct PNGChunkTests {
  private static let block = TinyExif.block(orientation: 6)

  private func read(before: [[UInt8]] = [], after: [[UInt8]] = []) throws -> ReadPicture {
    var png = TinyPNG(5, 3)
    png.chunksBefore = before
    png.chunksAfter = after
    let read = try ReadPicture(png.bytes)
    #expect(read.fault == nil, "\(read.fault?.message ?? "")")
    #expect(read.rows == png.expectedRows)
    return read
  }

  private static func text(_ keyword: String, _ text: [UInt8], _ kind: String = "tEXt") -> [UInt8] {
    let head: [UInt8] =
      switch kind {
      case "zTXt": [0, 0]
      case "iTXt": [0, 0, 0, 0, 0]
      default: [0]
      }
    return TinyPNG.chunk(kind, Array(keyword.utf8) + head + (kind == "zTXt" ? TinyPNG.stored(text) : text))
  }

  private static func profile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return Array("\n\(name)\n      \(bytes.count)\n\(digits.joined())\n".utf8)
  }

  private static let signed = Array("Exif\0\0".utf8) + block
  private static let rawExif = profile("exif", signed)

  @Test func `Exif counts before and behind the data, and the first block wins`() throws {
    let chunk = TinyPNG.chunk("eXIf", Self.block)
    let other = TinyPNG.chunk("eXIf", TinyExif.block(orientation: 3))
    for read in [
      try read(before: [chunk]), try read(after: [chunk]), try read(before: [chunk], after: [other]),
      try read(before: [Self.text("Raw profile type exif", Self.profile("exif", [1])), chunk]),
    ] {
      #expect(read.exif?.tiff == Self.block && read.exif?.origin == .pngExif)
    }
    // The six bytes that belong into a JPEG only.
    #expect(try read(before: [TinyPNG.chunk("eXIf", Self.signed)]).exif?.tiff == Self.block)
  }

  @Test(arguments: ["tEXt", "zTXt", "iTXt"])
  func `the old text form is read from every kind of text`(kind: String) throws {
    let chunk = Self.text("Raw profile type exif", Self.rawExif, kind)
    for read in [try read(before: [chunk]), try read(after: [chunk])] {
      #expect(read.exif?.tiff == Self.block && read.exif?.origin == .pngText)
      #expect(read.notes == [])
    }
    let app1 = Self.text("Raw profile type APP1", Self.profile("app1", Self.signed), kind)
    #expect(try read(before: [app1]).exif?.tiff == Self.block)
  }

  @Test func `XMP in an APP1 text does not hide the Exif text`() throws {
    let xmp = Self.text("Raw profile type APP1", Self.profile("app1", Array("http://ns.adobe.com/xap/1.0/\0".utf8)))
    let exif = Self.text("Raw profile type exif", Self.rawExif)
    #expect(try read(before: [xmp]).exif == nil)
    #expect(try read(before: [xmp, exif]).exif?.tiff == Self.block)
    #expect(try read(before: [exif, xmp]).exif?.tiff == Self.block)
  }

  @Test func `a chunk whose checksum is wrong is left out with a note`() throws {
    let exif = try read(before: [TinyPNG.chunk("eXIf", Self.block, breaksChecksum: true)])
    #expect(exif.exif == nil && exif.notes == ["exif-broken"])
    let second = try read(before: [
      TinyPNG.chunk("eXIf", TinyExif.block(orientation: 3), breaksChecksum: true), TinyPNG.chunk("eXIf", Self.block),
    ])
    #expect(second.exif?.tiff == Self.block)
    let text = try read(before: [TinyPNG.chunk("tEXt", Array("Title\0x".utf8), breaksChecksum: true)])
    #expect(text.notes == ["text-dropped"])
    // A broken chunk of another kind takes nothing else with it.
    let gamma = try read(before: [
      TinyPNG.chunk("gAMA", TinyPNG.number(45455), breaksChecksum: true), TinyPNG.chunk("eXIf", Self.block),
    ])
    #expect(gamma.exif?.tiff == Self.block && gamma.notes == ["odd-header"])
  }

  @Test func `an Exif chunk beyond its limit is left out with a note`() throws {
    let huge = TinyPNG.chunk("eXIf", Self.block + [UInt8](repeating: 0, count: 1 << 20))
    let read = try read(before: [huge])
    #expect(read.exif == nil && read.notes == ["exif-broken"])
  }

  @Test(arguments: ["tEXt", "prIv", "eXIf", "fdAT"])
  func `a chunk of nine million bytes costs nothing but itself`(name: String) throws {
    let read = try read(after: [TinyPNG.chunk(name, [UInt8](repeating: 65, count: 9_000_000))])
    let notes: [String: Set<String>] = [
      "tEXt": ["text-dropped"], "prIv": ["odd-header"], "eXIf": ["exif-broken"], "fdAT": [],
    ]
    #expect(read.notes == notes[name])
  }

  @Test func `a hundred texts are looked at, and one more is a note`() throws {
    let texts = (0..<100).map { Self.text("Comment", Array("\($0)".utf8)) }
    #expect(try read(before: texts).notes == [])
    #expect(try read(before: texts + [Self.text("Comment", [])]).notes == ["text-dropped"])
  }

  @Test func `frames of an animation are no text, however many`() throws {
    let control = TinyPNG.chunk("acTL", TinyPNG.number(150) + TinyPNG.number(0))
    let frames = (0..<150).map { TinyPNG.chunk("fdAT", TinyPNG.number($0) + [1, 2, 3]) }
    let read = try read(before: [control], after: frames)
    #expect(read.notes == ["extra-images"])
    #expect(try self.read(before: [TinyPNG.chunk("acTL", TinyPNG.number(1) + TinyPNG.number(0))]).notes == [])
  }

  @Test func `compressed text may unfold to eight million bytes each and to thirty-two in all`() throws {
    let seven = Self.text("Comment", [UInt8](repeating: 32, count: 7_000_000), "zTXt")
    #expect(try read(before: [seven]).notes == [])
    // 28 million fit; the fifth does not.
    #expect(try read(before: Array(repeating: seven, count: 4)).notes == [])
    #expect(try read(before: Array(repeating: seven, count: 5)).notes == ["text-dropped"])
  }

  @Test func `what a chunk says of colour is told as it stands`() throws {
    let read = try read(before: [
      TinyPNG.chunk("gAMA", TinyPNG.number(45_455)),
      TinyPNG.chunk(
        "cHRM", [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap { TinyPNG.number($0) }),
    ])
    #expect(abs((read.colour.pngGamma ?? 0) - 0.45455) < 1e-9)
    #expect(read.colour.pngChromaticities?.count == 8 && !read.colour.hasSRGBChunk)
    #expect(try self.read(before: [TinyPNG.chunk("sRGB", [0])]).colour.hasSRGBChunk)
  }

  @Test func `a palette that many programs suggest is not kept, however often it comes`() throws {
    let palettes = (0..<50).map {
      TinyPNG.chunk("sPLT", Array("p\($0)\0".utf8) + [8] + [UInt8](repeating: 1, count: 600))
    }
    #expect(try read(before: palettes).notes == [])
  }
}
