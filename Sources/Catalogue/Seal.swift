/// Computes a checksum that goes with what is stored: SQLite itself does not notice bits that a disk has lost.
///
/// FNV-1a, 64 bits. Against decay, not against people.
struct Seal {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
    add(Int64(bytes.count))
  }

  mutating func add(_ text: String?) {
    guard let text else { return add(Int64(-1)) }
    add(Array(text.utf8))
  }

  mutating func add(_ number: Int64?) {
    add(UInt8(number == nil ? 0 : 1))
    add(number ?? 0)
  }

  mutating func add(_ number: Int64) {
    // Eight bytes at once: as good for this purpose, and there are many of them.
    state = (state ^ UInt64(bitPattern: number)) &* 0x0000_0100_0000_01B3
    state ^= state >> 29
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  var value: Int64 { Int64(bitPattern: state) }
}
