@testable import PhotoCodecs

/// Builds Exif blocks for the tests: directories of entries in either byte order.
struct MetadataBlockBuilder {
  struct Entry {
    let tag: UInt16
    let format: UInt16
    let count: Int
    let bytes: [UInt8]
  }

  var isLittleEndian = true
  var primary: [Entry] = []
  var exif: [Entry] = []
  var gps: [Entry] = []
  var standIn: [Entry] = []
  /// The stand-in picture; its offset and length become entries of IFD1.
  var picture: [UInt8] = []

  mutating func text(_ directory: WritableKeyPath<Self, [Entry]>, _ tag: UInt16, _ text: String) {
    bytes(directory, tag, format: 2, Array(text.utf8) + [0])
  }

  mutating func bytes(
    _ directory: WritableKeyPath<Self, [Entry]>, _ tag: UInt16, format: UInt16, _ bytes: [UInt8]
  ) {
    let size = ExifValue.size(ofFormat: Int(format)) ?? 1
    self[keyPath: directory].append(Entry(tag: tag, format: format, count: bytes.count / size, bytes: bytes))
  }

  mutating func shorts(_ directory: WritableKeyPath<Self, [Entry]>, _ tag: UInt16, _ values: [Int]) {
    bytes(directory, tag, format: 3, values.flatMap { number($0, 2) })
  }

  mutating func rationals(
    _ directory: WritableKeyPath<Self, [Entry]>, _ tag: UInt16, format: UInt16 = 5, _ values: [(Int, Int)]
  ) {
    bytes(directory, tag, format: format, values.flatMap { number($0.0, 4) + number($0.1, 4) })
  }

  func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  /// The block, without the six bytes that a JPEG has before it.
  func build() -> [UInt8] {
    var block = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
    var primary = primary
    let sizes = [(ExifTag.exifDirectory, exif), (ExifTag.gpsDirectory, gps)].filter { !$0.1.isEmpty }
    var next = 8 + Self.size(of: primary.count + sizes.count, primary)
    for (tag, directory) in sizes {
      primary.append(Entry(tag: tag, format: 4, count: 1, bytes: number(next, 4)))
      next += Self.size(of: directory.count, directory)
    }
    var last = standIn
    let hasLast = !last.isEmpty || !picture.isEmpty
    if !picture.isEmpty {
      let place = next + Self.size(of: last.count + 2, last)
      last.append(Entry(tag: ExifTag.pictureOffset, format: 4, count: 1, bytes: number(place, 4)))
      last.append(Entry(tag: ExifTag.pictureLength, format: 4, count: 1, bytes: number(picture.count, 4)))
    }
    block += table(primary, at: 8, next: hasLast ? next : 0)
    for (_, directory) in sizes { block += table(directory, at: block.count, next: 0) }
    if hasLast { block += table(last, at: block.count, next: 0) }
    return block + picture
  }

  private func table(_ entries: [Entry], at start: Int, next: Int) -> [UInt8] {
    var table = number(entries.count, 2)
    var values: [UInt8] = []
    for entry in entries {
      table += number(Int(entry.tag), 2) + number(Int(entry.format), 2) + number(entry.count, 4)
      if entry.bytes.count <= 4 {
        table += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
      } else {
        table += number(start + 6 + 12 * entries.count + values.count, 4)
        values += entry.bytes
      }
    }
    return table + number(next, 4) + values
  }

  private static func size(of count: Int, _ entries: [Entry]) -> Int {
    6 + 12 * count + entries.reduce(0) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
  }
}
