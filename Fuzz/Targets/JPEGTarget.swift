/// Decodes JPEGs: libjpeg, its segments, the pictures made of it.
enum JPEGTarget: FuzzTarget {
  static let name = "jpeg"
  private static let head: [UInt8] = [0xFF, 0xD8]

  static func run(_ bytes: [UInt8]) { PhotoOracle.decode(head + bytes.dropFirst(head.count)) }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] { photos.filter { $0.starts(with: head) } }
}
