/// A clear night over a ridge, in twelve bits of grey as a scientific camera sends them, spread over sixteen.
struct NightSky {
  let seed: Int

  /// Two bytes a pixel, the higher first.
  func samples(width: Int, height: Int) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(width * height * 2)
    for row in 0..<height {
      for column in 0..<width {
        let value = clamp(level(Double(column) / Double(height), Double(row) / Double(height)))
        let noise = (Noise.cell(column, row, seed + 9) - 0.5) * 8
        let twelve = Int(clamp(value * 4095 + noise, 0, 4095))
        let sixteen = twelve << 4 | twelve >> 8
        out += [UInt8(sixteen >> 8), UInt8(sixteen & 255)]
      }
    }
    return out
  }

  private func level(_ x: Double, _ y: Double) -> Double {
    let ridge = 0.84 - Noise.ridged(x * 1.3, 0.3, 7, seed) * 0.22
    if y > ridge { return 0.02 + 0.02 * Noise.ridged(x * 8, y * 8, 5, seed + 1) }
    let band = (y - 0.1 - x * 0.42) / 0.2
    let dust = Noise.fractal(x * 4, y * 4, 7, seed + 2)
    let lane = smoothStep(0, 0.4, Noise.fractal(x * 6 + 3, y * 7, 6, seed + 3) - abs(band) * 0.5)
    let river = Exactly.exponential(-band * band * 1.4) * (0.3 + dust * 0.22) * (1 - lane * 0.6)
    var light = 0.035 + 0.1 * smoothStep(0.3, 0.85, y) + max(0, river)
    for (cells, keep, power) in [(46.0, 0.35, 0.9), (150.0, 0.6, 0.35)] {
      let (u, v) = (x * cells, y * cells)
      let (column, row) = (floorInt(u), floorInt(v))
      let pick = Noise.cell(column, row, seed + 4)
      guard pick > keep else { continue }
      let dx = (fraction(u) - 0.2 - 0.6 * Noise.cell(column, row, seed + 5)) / cells
      let dy = (fraction(v) - 0.2 - 0.6 * Noise.cell(column, row, seed + 6)) / cells
      let bright = (pick - keep) / (1 - keep)
      light += power * bright * bright * Exactly.exponential(-(dx * dx + dy * dy) * 700_000)
    }
    return light
  }
}

/// A round badge with a sailing boat, in few flat colours with soft rims: what a palette is for.
struct Badge {
  let size: Int
  static let inks = [0x16324F, 0x2F6690, 0x81C3D7, 0xF4F1DE, 0xE07A5F, 0xF2CC8F]
  /// Steps of opacity of every ink.
  static let steps = 8

  /// Entry 0 is clear; then each ink in eight opacities.
  static var palette: [UInt8] {
    [0, 0, 0] + inks.flatMap { ink in (0..<steps).flatMap { _ in [16, 8, 0].map { UInt8(ink >> $0 & 255) } } }
  }
  static var opacity: [UInt8] { [0] + inks.flatMap { _ in (1...steps).map { UInt8($0 * 255 / steps) } } }

  func samples() -> [UInt8] {
    (0..<size * size).map { at in
      let x = (Double(at % size) + 0.5) / Double(size) * 2 - 1
      let y = (Double(at / size) + 0.5) / Double(size) * 2 - 1
      let cover = smoothStep(0.97, 0.955, (x * x + y * y).squareRoot())
      let step = Int(cover * Double(Self.steps) + 0.5)
      return step == 0 ? 0 : UInt8(1 + ink(x, y) * Self.steps + step - 1)
    }
  }

  private func ink(_ x: Double, _ y: Double) -> Int {
    let reach = (x * x + y * y).squareRoot()
    if reach > 0.86 { return reach > 0.89 ? 0 : 3 }
    let wave = 0.42 + 0.035 * Exactly.sine(x * 16) + 0.01 * Exactly.sine(x * 41)
    if y > wave { return y > wave + 0.14 + 0.03 * Exactly.sine(x * 19 + 1) ? 0 : 1 }
    if y > 0.3, abs(x) < 0.52 - (y - 0.3) * 1.3 { return 4 }
    if abs(x) < 0.012, y > -0.66, y < 0.3 { return 0 }
    if x > 0.03, y > -0.6, y < 0.26, x < (y + 0.62) * 0.55 { return 3 }
    if x < -0.03, y > -0.45, y < 0.26, -x < (y + 0.47) * 0.5 { return 5 }
    let (dx, dy) = (x - 0.45, y + 0.42)
    if dx * dx + dy * dy < 0.022 { return 5 }
    return y < -0.15 + 0.05 * Exactly.sine(x * 5) ? 1 : 2
  }
}

/// A sea chart: bands of depth and height with their contour lines, and a grid.
struct Chart: Scene {
  let seed: Int

  func color(_ x: Double, _ y: Double) -> Color {
    let height = Noise.fractal(x * 2.4, y * 2.4, 6, seed, gain: 0.45) * 10 + 0.5
    let bands = [0x4F8FBF, 0x6FAAD0, 0x93C4E0, 0xBBDDEE, 0xEADFB4, 0xD8C88C, 0xC2AE6E, 0xA68F58]
    let fill = rgb(bands[Int(clamp((height + 4).rounded(.down), 0, 7))])
    if abs(height) < 0.07 { return rgb(0x3B3326) }
    if min(fraction(height), 1 - fraction(height)) < 0.035 { return fill * 0.8 }
    if min(fraction(x * 6), 1 - fraction(x * 6)) < 0.006 || min(fraction(y * 6), 1 - fraction(y * 6)) < 0.006 {
      return mix(fill, rgb(0x22303C), 0.45)
    }
    return fill
  }
}
