/// Builds small ICC profiles byte by byte: matrix and curve for RGB, a curve for gray.
enum SyntheticProfile {
  /// The columns of Display P3, adapted to D50.
  static let displayP3 = rgb(
    [(0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)], name: "Display P3")
  /// The columns of sRGB, adapted to D50.
  static let sRGB = rgb(
    [(0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410)], name: "sRGB of ours")

  static func rgb(_ columns: [(Double, Double, Double)], name: String) -> [UInt8] {
    let curve = sRGBCurve
    return profile(
      space: "RGB ",
      tags: [
        ("desc", ascii(name)), ("wtpt", xyz((0.9642, 1, 0.8249))), ("rXYZ", xyz(columns[0])),
        ("gXYZ", xyz(columns[1])), ("bXYZ", xyz(columns[2])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ])
  }

  /// A gray profile whose curve is `light = sample ^ gamma`.
  static func gray(gamma: Double, name: String = "Gray of ours") -> [UInt8] {
    let fixed = UInt16((gamma * 256).rounded())
    let curve = Array("curv".utf8) + word(0) + word(1) + [UInt8(fixed >> 8), UInt8(fixed & 0xFF)]
    return profile(
      space: "GRAY", tags: [("desc", ascii(name)), ("wtpt", xyz((0.9642, 1, 0.8249))), ("kTRC", curve)])
  }

  static func profile(space: String, tags: [(name: String, body: [UInt8])]) -> [UInt8] {
    var table = word(tags.count)
    var data: [UInt8] = []
    for tag in tags {
      table += Array(tag.name.utf8) + word(132 + tags.count * 12 + data.count) + word(tag.body.count)
      data += tag.body + Array(repeating: 0, count: (4 - tag.body.count % 4) % 4)
    }
    var header = word(128 + table.count + data.count)
    header += Array("lcms".utf8) + word(0x0240_0000) + Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
    header += Array(repeating: 0, count: 12) + Array("acsp".utf8) + Array(repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += Array(repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  /// A version 2 description.
  static func ascii(_ text: String) -> [UInt8] {
    Array("desc".utf8) + word(0) + word(text.utf8.count + 1) + Array(text.utf8) + [0]
      + Array(repeating: 0, count: 78)
  }

  /// A version 4 description.
  static func localised(_ texts: [(locale: String, text: String)]) -> [UInt8] {
    var records: [UInt8] = []
    var data: [UInt8] = []
    for (locale, text) in texts {
      let utf16 = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      records += Array(locale.utf8) + word(utf16.count) + word(16 + texts.count * 12 + data.count)
      data += utf16
    }
    return Array("mluc".utf8) + word(0) + word(texts.count) + word(12) + records + data
  }

  static func word(_ value: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: value)
    return [UInt8(bits >> 24), UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    word(Int((value * 65536).rounded()))
  }

  private static func xyz(_ value: (Double, Double, Double)) -> [UInt8] {
    Array("XYZ ".utf8) + word(0) + fixed(value.0) + fixed(value.1) + fixed(value.2)
  }

  /// A parametric curve of type 3 with the numbers of IEC 61966-2-1.
  private static let sRGBCurve: [UInt8] =
    Array("para".utf8) + word(0) + [0, 3, 0, 0] + fixed(2.4) + fixed(1 / 1.055) + fixed(0.055 / 1.055)
    + fixed(1 / 12.92) + fixed(0.04045)
}
