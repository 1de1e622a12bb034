/// Holds the value of one directory entry as it is stored, and reads it as numbers.
struct ExifValue: Sendable, Hashable {
  static let ascii: UInt16 = 2

  /// The field type of TIFF 6.0, section 2: 1 byte, 2 ASCII, 3 short, 4 long, 5 rational, 6 to 10 the same signed
  /// (7: undefined), 11 float, 12 double.
  let format: UInt16
  let bytes: [UInt8]
  let isLittleEndian: Bool

  /// How many bytes one component takes; nil for a format that does not exist.
  static func size(ofFormat format: Int) -> Int? {
    switch format {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  /// The bytes, where they can be text at all.
  var textBytes: [UInt8]? {
    [1, 2, 6, 7].contains(format) ? bytes : nil
  }

  /// The component at `index` as a whole number; nil when there is none or the format holds no whole numbers.
  func integer(at index: Int = 0) -> Int? {
    switch format {
    case 1, 7: field(index, 1).map { Int($0) }
    case 3: field(index, 2).map { Int($0) }
    case 4: field(index, 4).map { Int($0) }
    case 6: field(index, 1).map { Int(Int8(truncatingIfNeeded: $0)) }
    case 8: field(index, 2).map { Int(Int16(truncatingIfNeeded: $0)) }
    case 9: field(index, 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    default: nil
    }
  }

  /// The component at `index` as a decimal number; nil for `n/0`, and whatever else is no finite number.
  func number(at index: Int = 0) -> Double? {
    switch format {
    case 5:
      guard let (above, below) = fraction(at: index), below != 0 else { return nil }
      return Double(above) / Double(below)
    case 10:
      guard let (above, below) = fraction(at: index), below != 0 else { return nil }
      return Double(Int32(bitPattern: above)) / Double(Int32(bitPattern: below))
    case 11:
      guard let bits = field(index, 4) else { return nil }
      return finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case 12:
      guard let bits = field(index, 8) else { return nil }
      return finite(Double(bitPattern: bits))
    default:
      return integer(at: index).map { Double($0) }
    }
  }

  private func finite(_ number: Double) -> Double? {
    number.isFinite ? number : nil
  }

  private func fraction(at index: Int) -> (above: UInt32, below: UInt32)? {
    guard let above = field(index, 4, stride: 8), let below = field(index, 4, stride: 8, skip: 4) else { return nil }
    return (UInt32(truncatingIfNeeded: above), UInt32(truncatingIfNeeded: below))
  }

  /// The bits of `size` bytes of component `index`.
  private func field(_ index: Int, _ size: Int, stride: Int? = nil, skip: Int = 0) -> UInt64? {
    let stride = stride ?? size
    guard index >= 0, index < bytes.count / stride else { return nil }
    let part = bytes[index * stride + skip..<index * stride + skip + size]
    return isLittleEndian
      ? part.reversed().reduce(0) { $0 << 8 | UInt64($1) } : part.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
