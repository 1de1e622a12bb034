/// One colour component of a JPEG: its blocks of quantised coefficients.
struct JPEGPlane {
  /// Sampling factors.
  let across: Int
  let down: Int
  let quantisers: [Int]
  /// Blocks that hold pixels, across and down; a scan of this component alone sends these.
  let columns: Int
  let rows: Int
  /// Blocks in a row as stored, a whole number of MCUs.
  let stride: Int
  /// 64 coefficients a block, in natural order.
  let blocks: [Int16]

  func block(_ column: Int, _ row: Int) -> ArraySlice<Int16> {
    let at = (row * stride + column) * 64
    return blocks[at..<at + 64]
  }

  static func planes(
    of raster: Raster, quality: Int, sampling: (across: Int, down: Int), isGray: Bool
  ) -> [JPEGPlane] {
    let (across, down) = isGray ? (1, 1) : sampling
    let mcuColumns = (raster.width + 8 * across - 1) / (8 * across)
    let mcuRows = (raster.height + 8 * down - 1) / (8 * down)
    func plane(_ part: Int, _ h: Int, _ v: Int) -> JPEGPlane {
      let (width, height) = (mcuColumns * h * 8, mcuRows * v * 8)
      let (stepX, stepY) = (across / h, down / v)
      var samples = [Double](repeating: 0, count: width * height)
      for y in 0..<height {
        for x in 0..<width {
          var sum = 0.0
          for dy in 0..<stepY {
            for dx in 0..<stepX {
              sum += component(
                part, raster, min(x * stepX + dx, raster.width - 1), min(y * stepY + dy, raster.height - 1))
            }
          }
          samples[y * width + x] = sum / Double(stepX * stepY) - 128
        }
      }
      let quantisers = (part == 0 ? lumaTable : chromaTable).map { scaled($0, quality) }
      return JPEGPlane(
        across: h, down: v, quantisers: quantisers, columns: ((raster.width + stepX - 1) / stepX + 7) / 8,
        rows: ((raster.height + stepY - 1) / stepY + 7) / 8, stride: width / 8,
        blocks: coefficients(samples, width, height, quantisers))
    }
    return isGray ? [plane(0, 1, 1)] : [plane(0, across, down), plane(1, 1, 1), plane(2, 1, 1)]
  }

  /// Y, Cb or Cr of one pixel, 0 to 255 (ITU-T T.871).
  private static func component(_ part: Int, _ raster: Raster, _ x: Int, _ y: Int) -> Double {
    let at = (y * raster.width + x) * 3
    let (r, g, b) = (Double(raster.bytes[at]), Double(raster.bytes[at + 1]), Double(raster.bytes[at + 2]))
    switch part {
    case 0: return 0.299 * r + 0.587 * g + 0.114 * b
    case 1: return 128 - 0.168736 * r - 0.331264 * g + 0.5 * b
    default: return 128 + 0.5 * r - 0.418688 * g - 0.081312 * b
    }
  }

  /// The cosine transform of each 8 by 8 block, divided by the quantisers.
  private static func coefficients(_ samples: [Double], _ width: Int, _ height: Int, _ quantisers: [Int]) -> [Int16] {
    var out = [Int16](repeating: 0, count: width * height)
    var half = [Double](repeating: 0, count: 64)
    var at = 0
    for top in Swift.stride(from: 0, to: height, by: 8) {
      for left in Swift.stride(from: 0, to: width, by: 8) {
        for row in 0..<8 {
          let start = (top + row) * width + left
          for u in 0..<8 {
            var sum = 0.0
            for x in 0..<8 { sum += samples[start + x] * waves[u * 8 + x] }
            half[row * 8 + u] = sum
          }
        }
        for v in 0..<8 {
          for u in 0..<8 {
            var sum = 0.0
            for y in 0..<8 { sum += half[y * 8 + u] * waves[v * 8 + y] }
            let value = sum / Double(quantisers[v * 8 + u])
            out[at + v * 8 + u] = Int16(value.rounded(.toNearestOrAwayFromZero))
          }
        }
        at += 64
      }
    }
    return out
  }

  private static let waves: [Double] = (0..<64).map { index in
    let (u, x) = (index / 8, index % 8)
    let scale = u == 0 ? (0.125).squareRoot() : 0.5
    return scale * Exactly.cosine(Double((2 * x + 1) * u) * Exactly.pi / 16)
  }

  private static func scaled(_ value: Int, _ quality: Int) -> Int {
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return min(max((value * percent + 50) / 100, 1), 255)
  }

  // T.81, tables K.1 and K.2.
  private static let lumaTable = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
  private static let chromaTable = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99,
  ]
}
