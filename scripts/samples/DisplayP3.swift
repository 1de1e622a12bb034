/// The colour profile of Display P3 (ICC.1:2010, version 4): three primaries, one curve, adapted to D50.
enum DisplayP3 {
  static var profile: [UInt8] {
    let curve = element("para", bigEndian(3 << 16) + fixed([2.4, 0.94786987, 0.05213013, 0.07739938, 0.04045]))
    let tags: [(String, [UInt8])] = [
      ("desc", text("Display P3")),
      ("cprt", text("No copyright, use freely")),
      ("wtpt", xyz(0.96420, 1, 0.82491)),
      ("rXYZ", xyz(0.51512, 0.24120, -0.00105)),
      ("gXYZ", xyz(0.29198, 0.69225, 0.04189)),
      ("bXYZ", xyz(0.15710, 0.06657, 0.78407)),
      ("rTRC", curve),
      ("gTRC", curve),
      ("bTRC", curve),
      (
        "chad",
        element(
          "sf32", fixed([1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168]))
      ),
    ]
    var table = bigEndian(UInt32(tags.count))
    var data: [UInt8] = []
    let dataAt = 128 + 4 + 12 * tags.count
    var placed: [(bytes: [UInt8], at: Int)] = []
    for (name, bytes) in tags {
      // The three curves are one element.
      let at = placed.first { $0.bytes == bytes }?.at ?? dataAt + data.count
      if at == dataAt + data.count { data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
      placed.append((bytes, at))
      table += Array(name.utf8) + bigEndian(UInt32(at)) + bigEndian(UInt32(bytes.count))
    }
    return header(size: dataAt + data.count) + table + data
  }

  private static func header(size: Int) -> [UInt8] {
    var out = bigEndian(UInt32(size)) + [0, 0, 0, 0] + bigEndian(0x0400_0000)
    out += Array("mntrRGB XYZ ".utf8)
    // 2024-01-01 00:00:00
    out += [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    out += [UInt8](repeating: 0, count: 28)
    out += fixed([0.96420, 1, 0.82491])
    return out + [UInt8](repeating: 0, count: 128 - out.count)
  }

  private static func element(_ name: String, _ bytes: [UInt8]) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] + bytes }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] { element("XYZ ", fixed([x, y, z])) }

  private static func fixed(_ values: [Double]) -> [UInt8] {
    values.flatMap { bigEndian(UInt32(bitPattern: Int32(($0 * 65536).rounded(.toNearestOrAwayFromZero)))) }
  }

  /// One text in US English (`mluc`).
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let table = bigEndian(1) + bigEndian(12) + Array("enUS".utf8) + bigEndian(UInt32(units.count)) + bigEndian(28)
    return element("mluc", table + units)
  }
}
