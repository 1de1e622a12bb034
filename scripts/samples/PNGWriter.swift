/// Writes a PNG file (PNG 1.2) from rows of samples that already lie in file order.
struct PNGWriter {
  let width: Int
  let height: Int
  let depth: Int
  let colorType: Int
  /// Bytes a pixel, which the filters look back by.
  let pixelBytes: Int
  /// Chunks between the header and the pixels.
  var chunks: [(name: String, bytes: [UInt8])] = []

  func file(_ samples: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header =
      bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [UInt8(depth), UInt8(colorType), 0, 0, 0]
    out += chunk("IHDR", header)
    for (name, bytes) in chunks { out += chunk(name, bytes) }
    out += chunk("IDAT", Deflate.zlib(filtered(samples)))
    return out + chunk("IEND", [])
  }

  private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + bytes
    return bigEndian(UInt32(bytes.count)) + body + bigEndian(Self.checksum(body))
  }

  /// Each row by the filter whose differences are smallest; palette rows as they are.
  private func filtered(_ samples: [UInt8]) -> [UInt8] {
    let stride = width * pixelBytes
    var out: [UInt8] = []
    out.reserveCapacity((stride + 1) * height)
    var above = [UInt8](repeating: 0, count: stride)
    for row in 0..<height {
      let line = Array(samples[row * stride..<(row + 1) * stride])
      var best = (cost: Int.max, filter: UInt8(0), bytes: line)
      for filter in colorType == 3 ? 0...0 : 1...4 {
        let bytes = line.indices.map { line[$0] &- predicted(filter, line, above, $0) }
        let cost = bytes.reduce(0) { $0 + Int($1 < 128 ? $1 : 0 &- $1) }
        if cost < best.cost { best = (cost, UInt8(filter), bytes) }
      }
      out.append(best.filter)
      out += best.bytes
      above = line
    }
    return out
  }

  private func predicted(_ filter: Int, _ line: [UInt8], _ above: [UInt8], _ at: Int) -> UInt8 {
    let left = at >= pixelBytes ? Int(line[at - pixelBytes]) : 0
    let up = Int(above[at])
    switch filter {
    case 1: return UInt8(left)
    case 2: return UInt8(up)
    case 3: return UInt8((left + up) / 2)
    case 4:
      let corner = at >= pixelBytes ? Int(above[at - pixelBytes]) : 0
      let sum = left + up - corner
      let (a, b, c) = (abs(sum - left), abs(sum - up), abs(sum - corner))
      return UInt8(a <= b && a <= c ? left : b <= c ? up : corner)
    default: return 0
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }
}
