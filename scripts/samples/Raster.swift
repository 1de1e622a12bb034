/// A colour whose parts run from 0 to 1, as they will stand in the file.
typealias Color = SIMD3<Double>

func rgb(_ hex: Int) -> Color {
  Color(Double(hex >> 16 & 255), Double(hex >> 8 & 255), Double(hex & 255)) / 255
}

func mix(_ from: Color, _ to: Color, _ amount: Double) -> Color { from + (to - from) * clamp(amount) }

/// Something that has a colour everywhere: `x` from 0 to the aspect, `y` from 0 at the top to 1.
protocol Scene {
  func color(_ x: Double, _ y: Double) -> Color
}

/// A picture of 8-bit RGB pixels, row by row.
struct Raster {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: width * height * 3)
  }

  /// Renders a scene with four looks a pixel and a grain as of a small sensor.
  init(_ scene: any Scene, width: Int, height: Int, grain: Double = 0.008, seed: Int = 1) {
    self.init(width: width, height: height)
    let unit = 1 / Double(height)
    var at = 0
    for row in 0..<height {
      for column in 0..<width {
        var sum = Color()
        for (dx, dy) in [(0.125, 0.375), (0.625, 0.125), (0.375, 0.875), (0.875, 0.625)] {
          let look = scene.color((Double(column) + dx) * unit, (Double(row) + dy) * unit)
          sum += look.clamped(lowerBound: Color(), upperBound: Color(1, 1, 1))
        }
        let speck = (Noise.cell(column, row, seed) + Noise.cell(column, row, seed + 1) - 1) * grain
        for part in 0..<3 {
          bytes[at] = UInt8(clamp(sum[part] / 4 + speck) * 255 + 0.5)
          at += 1
        }
      }
    }
  }

  /// The picture as a camera held that way stores it: turned by `orientation` (Exif 2.32, 4.6.4) it is upright again.
  func stored(for orientation: Int) -> Raster {
    let swaps = orientation >= 5
    var out = Raster(width: swaps ? height : width, height: swaps ? width : height)
    for y in 0..<out.height {
      for x in 0..<out.width {
        let (column, row) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (width - 1 - y, x)
          case 7: (width - 1 - y, height - 1 - x)
          case 8: (y, height - 1 - x)
          default: (x, y)
          }
        let from = (row * width + column) * 3
        let to = (y * out.width + x) * 3
        for part in 0..<3 { out.bytes[to + part] = bytes[from + part] }
      }
    }
    return out
  }

  /// The picture with its longer side at `side` pixels, each the average of what it covers.
  func reduced(longSide side: Int) -> Raster {
    let long = max(width, height)
    var out = Raster(width: max(1, (width * side + long / 2) / long), height: max(1, (height * side + long / 2) / long))
    for y in 0..<out.height {
      let rows = (y * height / out.height)..<((y + 1) * height / out.height)
      for x in 0..<out.width {
        let columns = (x * width / out.width)..<((x + 1) * width / out.width)
        for part in 0..<3 {
          var sum = 0
          for row in rows { for column in columns { sum += Int(bytes[(row * width + column) * 3 + part]) } }
          let count = rows.count * columns.count
          out.bytes[(y * out.width + x) * 3 + part] = UInt8((sum + count / 2) / count)
        }
      }
    }
    return out
  }
}
