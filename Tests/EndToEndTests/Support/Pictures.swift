import Foundation

/// Lends pictures that the project has without any material beside it.
enum Pictures {
  /// The folder of sample photos, without a slash at its end.
  static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("SampleAssets").path

  /// All files there, relative.
  static let sampleNames: [String] =
    (FileManager.default.enumerator(atPath: samples)?.compactMap { $0 as? String } ?? [])
    .filter { $0.contains(".") }.sorted()

  static func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(samples)/\(name)")))
  }

  /// Small photo-like JPEGs without any metadata, all different: the pictures inside the samples' Exif blocks.
  static let small: [[UInt8]] = [
    "alps/IMG_0001", "alps/IMG_0002", "alps/IMG_0003", "alps/IMG_0010", "alps/IMG_0011", "harbour/DSC_2",
    "harbour/DSC_3", "harbour/DSC_10", "harbour/evening-p3", "harbour/night", "pebbles", "still-life",
  ].compactMap { name in (try? sample(name + ".jpg")).flatMap(embedded) }

  /// The picture inside the Exif block, which lies in the first segment of every sample.
  private static func embedded(_ photo: [UInt8]) -> [UInt8]? {
    let photo = Data(photo)
    guard let start = photo.range(of: Data([0xff, 0xd8, 0xff]), in: 2..<min(photo.count, 65_536))?.lowerBound,
      let end = photo.range(of: Data([0xff, 0xd9]), in: start..<photo.count)?.upperBound
    else { return nil }
    return Array(photo[start..<end])
  }

  /// A PNG of one colour.
  static func png(_ red: UInt8, _ green: UInt8, _ blue: UInt8, width: Int = 24, height: Int = 16) -> [UInt8] {
    let row = [0] + Array(repeating: [red, green, blue], count: width).joined()
    return png(rows: Array(repeating: row, count: height), width: width)
  }

  /// A PNG of 8-bit RGB rows, each with its filter byte in front, in stored deflate blocks (RFC 1950, RFC 1951).
  static func png(rows: [[UInt8]], width: Int) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for (index, row) in rows.enumerated() {
      let length = UInt16(row.count)
      stream.append(index == rows.count - 1 ? 1 : 0)
      for part in [length, ~length] { stream += [UInt8(part & 0xff), UInt8(part >> 8)] }
      stream += row
    }
    var sums: (UInt32, UInt32) = (1, 0)
    for byte in rows.joined() {
      sums.0 = (sums.0 + UInt32(byte)) % 65_521
      sums.1 = (sums.1 + sums.0) % 65_521
    }
    stream += bigEndian(sums.1 << 16 | sums.0)
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(rows.count)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stream)
      + chunk("IEND", [])
  }

  private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + content
    var check: UInt32 = 0xffff_ffff
    for byte in body { check = check >> 8 ^ remainders[Int((check ^ UInt32(byte)) & 0xff)] }
    return bigEndian(UInt32(content.count)) + body + bigEndian(~check)
  }

  /// The table of CRC-32 (PNG third edition, annex D).
  private static let remainders: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xff) }
  }
}

extension ThumbnailGrid {
  /// How far two pictures are from each other: the mean over cells and colours, 0 through 255.
  func distance(to other: ThumbnailGrid) -> Double {
    var sum = 0.0
    for (a, b) in zip(cells, other.cells) {
      for (x, y) in zip(a, b) { sum += abs(x - y) }
    }
    return sum / 48
  }
}
