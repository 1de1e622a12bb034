/// Tells an image format by the first bytes of a file; a name counts for nothing.
public enum Sniffer {
  /// How many first bytes it wants at most. Fewer are taken from a shorter file.
  public static let prefixLength = 64

  /// The format of a file that begins so; nil when it is none of those known.
  public static func format(of prefix: [UInt8]) -> PhotoFormat? {
    for signature in signatures where prefix.starts(with: signature.bytes) { return signature.format }
    if prefix.starts(with: Array("RIFF".utf8)), part(prefix, 8, 4) == Array("WEBP".utf8) { return .webp }
    if isBitmap(prefix) { return .bmp }
    if isTIFF(prefix) { return part(prefix, 8, 2) == Array("CR".utf8) ? .cr2 : .tiff }
    if part(prefix, 4, 4) == Array("ftyp".utf8) { return mediaFormat(prefix) }
    return nil
  }

  private static let signatures: [(bytes: [UInt8], format: PhotoFormat)] = [
    // T.81 B.1.1.3: SOI. What follows is the decoder's business: it copes with junk before the next marker.
    ([0xFF, 0xD8], .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF87a".utf8), .gif),
    (Array("GIF89a".utf8), .gif),
    ([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jp2),
    ([0xFF, 0x4F, 0xFF, 0x51], .jp2),
    ([0xFF, 0x0A], .jxl),
    ([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
    (Array("FUJIFILMCCD-RAW".utf8), .raf),
    (Array("IIU\0".utf8), .rw2),
    // Olympus ORF: TIFF with another magic number.
    (Array("IIRO".utf8), .tiff), (Array("IIRS".utf8), .tiff), (Array("MMOR".utf8), .tiff),
  ]

  private static func part(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> [UInt8] {
    Array(bytes.dropFirst(offset).prefix(count))
  }

  private static func isTIFF(_ prefix: [UInt8]) -> Bool {
    let heads: [[UInt8]] = [
      [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A], [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B],
    ]
    return heads.contains { prefix.starts(with: $0) }
  }

  /// Two letters are little to go by: the size of the second header must be one of the known ones too.
  private static func isBitmap(_ prefix: [UInt8]) -> Bool {
    guard prefix.starts(with: Array("BM".utf8)), prefix.count >= 18 else { return false }
    return part(prefix, 15, 3) == [0, 0, 0] && [12, 16, 40, 52, 56, 64, 108, 124].contains(prefix[14])
  }

  /// ISO base media (14496-12, 4.3): the brands say what is inside, the major one first.
  private static func mediaFormat(_ prefix: [UInt8]) -> PhotoFormat? {
    guard prefix.count >= 12 else { return nil }
    let declared = prefix[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(prefix.count, max(declared, 12))
    var brands = [part(prefix, 8, 4)]
    var offset = 16
    while offset + 4 <= end {
      brands.append(part(prefix, offset, 4))
      offset += 4
    }
    for brand in brands {
      switch String(decoding: brand, as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
      case "crx ": return .cr3
      default: continue
      }
    }
    // A still picture of the general brand with a codec that no brand names.
    return brands.contains(Array("mif1".utf8)) || brands.contains(Array("msf1".utf8)) ? .heic : nil
  }
}
