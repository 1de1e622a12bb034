import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct SnifferTests {
  private static func media(_ brands: String..., size: UInt8? = nil) -> [UInt8] {
    let rest =
      Array("ftyp".utf8) + Array(brands[0].utf8) + [0, 0, 0, 0] + brands.dropFirst().flatMap { Array($0.utf8) }
    return [0, 0, 0, size ?? UInt8(rest.count + 4)] + rest
  }

  private static let bitmap: [UInt8] =
    Array("BM".utf8) + [0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 40, 0, 0, 0] + [UInt8](repeating: 0, count: 36)

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0xFF, 0xD8], .jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
      (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
      (bitmap, .bmp),
      (Array("II*\0\u{8}\0\0\0\0\0".utf8), .tiff), (Array("MM\0*\0\0\0\u{8}".utf8), .tiff),
      (Array("II+\0".utf8), .tiff), (Array("MM\0+".utf8), .tiff), (Array("IIRO".utf8), .tiff),
      (Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8), .cr2), (Array("IIU\0\u{18}\0\0\0".utf8), .rw2),
      (Array("FUJIFILMCCD-RAW 0201".utf8), .raf),
      (media("heic", "mif1"), .heic), (media("mif1", "heic"), .heic), (media("msf1", "hevc"), .heic),
      (media("mif1"), .heic), (media("heix"), .heic),
      (media("avif", "mif1"), .avif), (media("mif1", "miaf", "avif"), .avif), (media("avis"), .avif),
      (media("crx ", "isom"), .cr3),
      ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jp2), ([0xFF, 0x4F, 0xFF, 0x51], .jp2),
      ([0xFF, 0x0A], .jxl), ([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
    ] as [([UInt8], PhotoFormat)])
  func `every format is known by its first bytes`(prefix: [UInt8], format: PhotoFormat) {
    #expect(Sniffer.format(of: prefix) == format)
    #expect(Sniffer.format(of: Array((prefix + [UInt8](repeating: 0, count: 64)).prefix(64))) == format)
  }

  @Test func `the table above has every format`() {
    // Named here so that a new format without a line in the table is noticed.
    #expect(PhotoFormat.allCases.count == 14)
  }

  @Test(
    arguments: [
      [], [0xFF], [0x89], [0xFF, 0xFE], [0xFF, 0xFB, 0x90, 0x00], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A],
      Array("BM".utf8), Array("BMW is a make of cars, and this is a text.".utf8),
      Array("BM".utf8) + [UInt8](repeating: 0, count: 62), Array(bitmap.prefix(17)),
      Array("II".utf8), Array("MM".utf8), Array("MMX is an instruction set".utf8), Array("II*".utf8),
      Array("GIF".utf8), Array("GIF88a".utf8), Array("RIFF".utf8), Array("RIFF1234WAVEfmt ".utf8),
      Array("RIFF1234WEB".utf8), media("mp42", "isom"), media("qt  "), Array(media("heic").prefix(11)),
      Array("    ftyp".utf8), Array("<html><body>".utf8), Array("%PDF-1.4".utf8), Array("\0\0\0\u{c}jP  ".utf8),
      Array("FUJIFILM is a make of cameras".utf8), Array("PK\u{3}\u{4}".utf8), Array("\u{7F}ELF".utf8),
    ] as [[UInt8]])
  func `what only looks like an image is none`(prefix: [UInt8]) {
    #expect(Sniffer.format(of: prefix) == nil)
  }

  @Test func `brands behind the end of the first box are not brands`() {
    #expect(Sniffer.format(of: Self.media("mp42", "heic", size: 16)) == nil)
    #expect(Sniffer.format(of: Self.media("mp42", "heic", size: 20)) == .heic)
  }
}
