/// Holds the few facts about ASCII that option names and file names need. Only ASCII is folded: full case mapping
/// can change a name's length.
enum ASCII {
  static let lineFeed = UInt8(ascii: "\n")
  static let dash = UInt8(ascii: "-")
  static let equals = UInt8(ascii: "=")
  static let slash = UInt8(ascii: "/")
  static let dot = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")

  static func uppercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
