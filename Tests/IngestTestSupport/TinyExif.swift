/// Makes Exif blocks of little-endian TIFF that say which way is up and hold an embedded picture.
public enum TinyExif {
  public static func block(orientation: UInt16? = nil, embedded: [UInt8]? = nil) -> [UInt8] {
    let entries = orientation.map { [entry(0x0112, type: 3, UInt32($0))] } ?? []
    var block = Array("II".utf8) + number(42, 2) + number(8, 4)
    let afterFirst = 8 + 2 + 12 * entries.count + 4
    block += number(UInt32(entries.count), 2) + entries.flatMap { $0 }
    guard let embedded else { return block + number(0, 4) }
    let picture = UInt32(afterFirst + 2 + 3 * 12 + 4)
    block += number(UInt32(afterFirst), 4) + number(3, 2)
    block += entry(0x0103, type: 3, 6)
    block += entry(0x0201, type: 4, picture) + entry(0x0202, type: 4, UInt32(embedded.count))
    return block + number(0, 4) + embedded
  }

  private static func entry(_ tag: UInt32, type: UInt32, _ value: UInt32) -> [UInt8] {
    number(tag, 2) + number(type, 2) + number(1, 4) + number(value, 4)
  }

  private static func number(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }
}
