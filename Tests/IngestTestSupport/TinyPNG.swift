/// Writes small PNGs of every type and depth, interlaced or not, and tells the pixels that a reader must give for them.
///
/// Knows nothing of libpng: PNG, third edition, is its only source.
public struct TinyPNG: Sendable {
  public var width: Int
  public var height: Int
  /// 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha.
  public var colorType: Int
  public var depth: Int
  public var isInterlaced = false
  /// Chunks between IHDR (and PLTE) and the data, and between the data and IEND.
  public var chunksBefore: [[UInt8]] = []
  public var chunksAfter: [[UInt8]] = []
  /// The tRNS chunk's content.
  public var transparency: [UInt8] = []
  /// Bytes that follow the stored rows inside the compressed data, and the zlib stream inside the chunk.
  public var extraRows: [UInt8] = []
  public var extraCompressed: [UInt8] = []

  public init(_ width: Int, _ height: Int, colorType: Int = 2, depth: Int = 8) {
    self.width = width
    self.height = height
    self.colorType = colorType
    self.depth = depth
  }

  var samples: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  /// The stored value of a sample: every value of the depth comes up, and neighbours differ.
  public func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    let spread = (x &* 7919 &+ y &* 104_729 &+ channel &* 1299) % 65_536
    return colorType == 3 ? (x + 3 * y) % paletteCount : spread >> (16 - depth)
  }

  var paletteCount: Int { min(1 << depth, 200) }
  func palette(_ index: Int) -> [Int] { [index * 37 % 256, index * 101 % 256, 255 - index] }

  // MARK: The file

  public var bytes: [UInt8] { head + data + tail }

  /// The signature and all chunks before the data.
  public var head: [UInt8] {
    let header =
      Self.number(width) + Self.number(height) + [UInt8(depth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
    if colorType == 3 {
      bytes += Self.chunk("PLTE", (0..<paletteCount).flatMap { palette($0).map { UInt8($0) } })
    }
    if !transparency.isEmpty { bytes += Self.chunk("tRNS", transparency) }
    for chunk in chunksBefore { bytes += chunk }
    return bytes
  }

  /// The one IDAT chunk.
  public var data: [UInt8] { Self.chunk("IDAT", compressed) }

  /// The zlib stream.
  public var compressed: [UInt8] { Self.stored(rows + extraRows) + extraCompressed }

  public var tail: [UInt8] {
    var bytes: [UInt8] = []
    for chunk in chunksAfter { bytes += chunk }
    return bytes + Self.chunk("IEND", [])
  }

  /// Filter type 0 and the packed samples of each row, pass by pass when interlaced (PNG 8.2).
  var rows: [UInt8] {
    guard isInterlaced else { return (0..<height).flatMap { y in row((0..<width).map { ($0, y) }) } }
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return passes.flatMap { left, top, across, down in
      stride(from: top, to: height, by: down).flatMap { y in
        row(stride(from: left, to: width, by: across).map { ($0, y) })
      }
    }
  }

  private func row(_ pixels: [(Int, Int)]) -> [UInt8] {
    guard !pixels.isEmpty else { return [] }
    var row: [UInt8] = [0]
    var byte = 0
    var bits = 0
    for (x, y) in pixels {
      for channel in 0..<samples {
        let value = sample(x, y, channel)
        if depth == 16 {
          row += [UInt8(value >> 8), UInt8(value & 0xFF)]
          continue
        }
        byte = byte << depth | value
        bits += depth
        if bits == 8 {
          row.append(UInt8(byte))
          (byte, bits) = (0, 0)
        }
      }
    }
    if bits > 0 { row.append(UInt8(byte << (8 - bits))) }
    return row
  }

  // MARK: What a reader must give

  /// Whether the rows are gray: 1 sample a pixel, else 3.
  public var isGray: Bool { colorType == 0 || colorType == 4 }

  /// Rows of 8 bits a sample, laid over white.
  public var expectedRows: [UInt8] {
    var result: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        var values = (0..<samples).map { sample(x, y, $0) }
        var alpha = 255
        if colorType == 3 {
          alpha = values[0] < transparency.count ? Int(transparency[values[0]]) : 255
          values = palette(values[0])
        } else {
          if transparency.count == samples * 2 {
            let hidden = (0..<samples).map { Int(transparency[$0 * 2]) << 8 | Int(transparency[$0 * 2 + 1]) }
            if values == hidden { alpha = 0 }
          }
          values = values.map(scaled)
          if colorType >= 4 { alpha = values.removeLast() }
        }
        result += values.map { UInt8(($0 * alpha + 255 * (255 - alpha) + 127) / 255) }
      }
    }
    return result
  }

  /// A sample in 8 bits: the nearest value of the same share of white (PNG 13.12).
  private func scaled(_ value: Int) -> Int {
    let most = 1 << depth - 1
    return (value * 255 * 2 + most) / (2 * most)
  }
}
