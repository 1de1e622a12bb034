/// Ridges behind ridges, with snow and firs, over a lake or a meadow.
struct Mountains: Scene {
  enum Foreground { case lake, meadow, none }

  var seed: Int
  var zenith = rgb(0x2A5C9E)
  var horizon = rgb(0xBFD6E6)
  var light = rgb(0xFFF3DC)
  var shade = rgb(0x3A4763)
  var sun: (x: Double, y: Double)?
  var clouds = 0.5
  var snowLine = 0.07
  var foreground = Foreground.lake
  /// Where the land ends and the foreground begins.
  var shore = 0.64
  var hut: Double?

  func color(_ x: Double, _ y: Double) -> Color {
    if y < shore || foreground == .none { return land(x, y) }
    return foreground == .lake ? lake(x, y) : meadow(x, y)
  }

  private func sky(_ x: Double, _ y: Double) -> Color {
    var color = mix(zenith, horizon, smoothStep(-0.1, shore, y))
    if let sun {
      let distance = ((x - sun.x) * (x - sun.x) + (y - sun.y) * (y - sun.y)).squareRoot()
      color += light * 0.5 * Exactly.exponential(-distance * 5) + light * smoothStep(0.036, 0.03, distance)
    }
    let cloud = Noise.fractal(x * 2.2, y * 5.5, 7, seed + 900)
    let lit = Noise.fractal(x * 2.2 + 0.06, y * 5.5 - 0.1, 5, seed + 900)
    let body = smoothStep(0.25 - clouds * 0.5, 0.75, cloud + 0.2) * smoothStep(0, 0.12, y + 0.05)
    return mix(color, mix(light, horizon * 0.82, clamp(0.5 + (lit - cloud) * -1.6)), body * 0.9)
  }

  private func crest(_ layer: Int, _ x: Double) -> Double {
    let near = Double(layer)
    let base = shore - 0.36 + near * 0.085
    return base + 0.17 - Noise.ridged(x * (0.9 + near * 0.35) + near * 3.7, 0.5, 7, seed + layer * 31)
      * (0.34 - near * 0.05)
  }

  private func land(_ x: Double, _ y: Double) -> Color {
    if let hut, let color = hutColor(x - hut, y) { return color }
    for layer in stride(from: 4, through: 0, by: -1) {
      var top = crest(layer, x)
      if layer >= 3 { top -= firs(x * 60 + Double(layer) * 9.1, layer) * 0.03 }
      guard y > top else { continue }
      let depth = y - top
      let haze = [0.62, 0.46, 0.3, 0.14, 0.02][layer]
      return mix(layer >= 3 ? wood(x, y, layer) : rock(x, y, depth, layer), horizon, haze)
    }
    return sky(x, y)
  }

  private func rock(_ x: Double, _ y: Double, _ depth: Double, _ layer: Int) -> Color {
    let here = Noise.ridged(x * 6, y * 7, 8, seed + layer)
    let slope = here - Noise.ridged(x * 6 + 0.1, y * 7 - 0.07, 8, seed + layer)
    let grain = Noise.fractal(x * 70, y * 40, 4, seed + 5)
    let stone = mix(shade, light * 0.72, 0.42 + slope * 2.2 + grain * 0.12)
    let snow = smoothStep(0.02, -0.05, depth - snowLine + (here - 0.55) * 0.3 + grain * 0.05)
    let lit = mix(rgb(0x8FA3C4), light, 0.55 + slope * 3)
    let grass = smoothStep(0.18, 0.26, depth + grain * 0.05)
    return mix(mix(stone, rgb(0x5A6B45), grass * 0.7), lit, snow)
  }

  private func wood(_ x: Double, _ y: Double, _ layer: Int) -> Color {
    let needle = Noise.fractal(x * 130, y * 60, 4, seed + layer)
    let stand = Noise.fractal(x * 22, y * 26, 4, seed + layer + 50)
    return mix(rgb(0x16261F), rgb(0x44603C) * light, 0.42 + needle * 0.5 + stand * 0.4)
  }

  /// The outline of a row of firs: 0 between two trees, up to 1 at a tip.
  private func firs(_ x: Double, _ layer: Int) -> Double {
    let tree = floorInt(x)
    var height = 0.0
    for near in tree - 1...tree + 1 {
      let centre = Double(near) + 0.5 + (Noise.cell(near, layer, seed + 3) - 0.5) * 0.6
      let tall = 0.45 + Noise.cell(near, layer, seed + 4) * 0.75
      let width = 0.55 + 0.08 * Noise.smooth(x * 9, tall, seed)
      height = max(height, tall * (1 - abs(x - centre) / width))
    }
    return height
  }

  private func lake(_ x: Double, _ y: Double) -> Color {
    let depth = y - shore
    let far = 1 / (depth + 0.03)
    let wave = Noise.fractal(x * far * 1.4, far * 9, 4, seed + 70)
    let mirrored = land(x + wave * 0.012 * (0.3 + depth * 4), shore - depth * 0.95 + wave * 0.03 * (0.2 + depth * 3))
    let deep = mix(zenith * 0.35, rgb(0x0D2B33), 0.5)
    var color = mix(mirrored, deep, 0.22 + depth * 0.9 + wave * 0.12)
    if let sun, abs(x - sun.x) < 0.2 {
      color += light * smoothStep(0.35, 0.75, wave) * (0.2 - abs(x - sun.x)) * 3
    }
    let stones = smoothStep(0.235, 0.3, depth + Noise.fractal(x * 4, 1, 3, seed + 71) * 0.05)
    let pebble = Pebbles(seed: seed + 9, scale: 26).color(x, y * 2.4)
    return mix(color, pebble * mix(shade, light, 0.7), stones)
  }

  private func meadow(_ x: Double, _ y: Double) -> Color {
    let depth = y - shore
    let far = 1 / (depth + 0.08)
    let blade = Noise.fractal(x * far * 26, far * 30 + y * 14, 4, seed + 80)
    let patch = Noise.fractal(x * far * 0.9, far * 1.7, 4, seed + 81)
    var color = mix(rgb(0x38561F), rgb(0xA2B552), 0.45 + blade * 0.6 + patch * 0.35) * light
    color = mix(color, horizon, 0.28 * smoothStep(0.1, 0, depth))
    let (u, v) = (x * far * 7, far * 9)
    let (column, row) = (floorInt(u), floorInt(v))
    let pick = Noise.cell(column, row, seed + 82)
    guard pick > 0.55 - patch * 0.3 else { return color }
    let (du, dv) = (fraction(u) - 0.3 - pick * 0.4, fraction(v) - 0.5)
    let petal = [0xF4F1E6, 0xF2C230, 0xC0508F, 0x6C5BC4][floorInt(Noise.cell(column, row, seed + 83) * 3.999)]
    let reach = (du * du + dv * dv).squareRoot()
    color = mix(color, rgb(petal) * light, smoothStep(0.22, 0.15, reach))
    return mix(color, rgb(0xE0A020), smoothStep(0.08, 0.05, reach))
  }

  private func hutColor(_ dx: Double, _ y: Double) -> Color? {
    let dy = y - shore
    let boards = 0.75 + 0.25 * Noise.fractal(dx * 30, y * 260, 3, seed + 60)
    if abs(dx) < 0.075, dy > -0.075 {
      let isWindow = abs(abs(dx) - 0.035) < 0.014 && dy > -0.052 && dy < -0.022
      let isBar = abs(abs(dx) - 0.035) < 0.0015 || abs(dy + 0.037) < 0.0012
      return isWindow ? (isBar ? rgb(0x3A2415) : rgb(0xFFC964)) : rgb(0x6B4528) * boards * mix(shade, light, 0.75)
    }
    if dy > -0.13, dy <= -0.072, abs(dx) < (dy + 0.13) * 1.55 + 0.004 {
      return rgb(0x4A4744) * (0.7 + 0.3 * Noise.cell(floorInt(dx * 160), floorInt(y * 240), seed))
        * mix(shade, light, 0.8)
    }
    if abs(dx - 0.045) < 0.009, dy > -0.135, dy < -0.1 { return rgb(0x7A6A60) * boards }
    return nil
  }
}
