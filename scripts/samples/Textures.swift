/// Rounded stones, each of its own colour, packed as the sea leaves them.
struct Pebbles: Scene {
  let seed: Int
  var scale = 13.0

  func color(_ x: Double, _ y: Double) -> Color {
    let (u, v) = (x * scale + Noise.smooth(x * 9, y * 9, seed) * 0.25, y * scale)
    let (column, row) = (floorInt(u), floorInt(v))
    var (first, second) = (9.0, 9.0)
    var stone = (column: 0, row: 0, dx: 0.0, dy: 0.0)
    for near in row - 1...row + 1 {
      for beside in column - 1...column + 1 {
        let dx = u - Double(beside) - Noise.cell(beside, near, seed + 1)
        let dy = v - Double(near) - Noise.cell(beside, near, seed + 2)
        let distance = (dx * dx + dy * dy * 1.5).squareRoot()
        if distance < first {
          (first, second) = (distance, first)
          stone = (beside, near, dx, dy)
        } else if distance < second {
          second = distance
        }
      }
    }
    let kinds = [0x8D8A84, 0xB9B2A4, 0x5E6065, 0x9A7E66, 0xD6D0C4, 0x6F7C7A, 0x8A5F50]
    let base = rgb(kinds[floorInt(Noise.cell(stone.column, stone.row, seed + 3) * 6.99)])
    let turn = Noise.cell(stone.column, stone.row, seed + 4) * 6
    let vein = Noise.ridged(u * 1.3 + turn, v * 1.3 - turn, 5, seed + 5)
    let speck = Noise.fractal(u * 16, v * 16, 3, seed + 6)
    let dome = smoothStep(0, 0.32, second - first)
    let lit = 0.62 - stone.dx * 0.5 - stone.dy * 0.55
    return base * (0.75 + speck * 0.22 + smoothStep(0.8, 0.97, vein) * 0.45) * (0.1 + dome * lit * 1.35)
  }
}

/// A plaid cloth, thread over thread.
struct Weave: Scene {
  let seed: Int

  func color(_ x: Double, _ y: Double) -> Color {
    let (u, v) = (
      x * 120 + Noise.fractal(x * 7, y * 7, 3, seed) * 0.9, y * 120 + Noise.fractal(y * 8, x * 6, 3, seed + 1) * 0.9
    )
    let (warp, weft) = (floorInt(u), floorInt(v))
    let isWarp = ((warp + weft) % 4 + 4) % 4 < 2
    let thread = isWarp ? warp : weft
    let across = (isWarp ? fraction(u) : fraction(v)) - 0.5
    let along = isWarp ? v : u
    let twist = Noise.smooth(along * 2.2 + across * 3, Double(thread) * 3.3, seed + 2)
    let round = 1 - across * across * 2.6
    let uneven = 0.9 + Noise.cell(thread, isWarp ? 1 : 2, seed + 3) * 0.2
    return stripe(thread) * round * uneven * (0.9 + twist * 0.16)
  }

  private func stripe(_ thread: Int) -> Color {
    switch ((thread % 48) + 48) % 48 {
    case 0..<3, 21..<24: rgb(0xE9DFC8)
    case 3..<21: rgb(0x2F4B6E)
    case 24..<40: rgb(0xA33B33)
    case 40..<42: rgb(0xE2B33C)
    default: rgb(0x23313F)
    }
  }
}
