/// A row of gabled houses on a quay, boats, and all of it again in the water.
struct Harbour: Scene {
  var seed: Int
  var isNight = false
  /// Houses a picture height.
  var density = 5.2
  var quay = 0.66

  private var light: Color { isNight ? rgb(0x3B4A7A) : rgb(0xFFF4E2) }

  func color(_ x: Double, _ y: Double) -> Color {
    if let boat = boats(x, y) { return boat }
    if y < quay { return above(x, y) }
    if y < quay + 0.035 {
      let stone = Noise.cell(floorInt(x * 34 + Double(floorInt(y * 110) % 2) * 0.5), floorInt(y * 110), seed + 40)
      let grain = Noise.fractal(x * 120, y * 120, 3, seed)
      return mix(rgb(0x5A5650), rgb(0xA39C8E), stone * 0.7 + grain * 0.3) * light
    }
    let depth = y - quay - 0.035
    let far = 1 / (depth + 0.06)
    let wave = Noise.fractal(x * far * 1.1, far * 7, 5, seed + 41)
    let mirrored = above(x + wave * 0.02 * (0.3 + depth * 3), quay - depth * 1.15 + wave * 0.05 * (0.25 + depth * 2))
    let tint = isNight ? rgb(0x060B18) : rgb(0x1D4148)
    return mix(mirrored, tint, 0.3 + depth * 0.9 + wave * 0.18)
  }

  private func above(_ x: Double, _ y: Double) -> Color {
    let house = floorInt(x * density)
    for candidate in [house, house - 1, house + 1] {
      if let color = houseColor(candidate, x * density - Double(candidate), y) { return color }
    }
    let cloud = smoothStep(0, 0.6, Noise.fractal(x * 2, y * 5, 6, seed + 42))
    if isNight {
      let star = Noise.cell(floorInt(x * 420), floorInt(y * 420), seed + 43) > 0.9985 ? 0.7 : 0.0
      return mix(rgb(0x0A1026), rgb(0x2A2C4E), y * 1.4) + Color(repeating: star * (1 - cloud)) + rgb(0x1A1A2C) * cloud
    }
    return mix(mix(rgb(0x4F8AC6), rgb(0xCFE2EC), y * 1.5), rgb(0xF7F5F0), cloud * 0.85)
  }

  private func houseColor(_ house: Int, _ u: Double, _ y: Double) -> Color? {
    func pick(_ what: Int) -> Double { Noise.cell(house, what, seed + 44) }
    guard u > 0, u < 1 else { return nil }
    let eaves = 0.22 + pick(1) * 0.14
    let gable = eaves - (0.5 - abs(u - 0.5)) * (0.2 + pick(2) * 0.12)
    guard y > gable else { return nil }
    let walls = [0xC8553D, 0xE0B04C, 0x6E93A8, 0xDCD2BE, 0x8A9A5B, 0xB5838D, 0x9C4A3C, 0xE9E4D4]
    let wall = rgb(walls[floorInt(pick(3) * 7.99)])
    let dirt = Noise.fractal(u * 5 + Double(house) * 9, y * 30, 5, seed + 45)
    if y < gable + 0.018 { return rgb(0x5B3026) * (0.8 + 0.2 * Noise.cell(floorInt(u * 90), house, seed)) * light }
    let floors = 3 + floorInt(pick(4) * 2.99)
    let storey = (y - eaves - 0.02) / (quay - eaves - 0.02) * Double(floors)
    let columns = 2.0 + pick(5).rounded()
    let brick = Noise.cell(floorInt(u * 40 + Double(floorInt(y * 260) % 2) * 0.5), floorInt(y * 260), seed + 46)
    let joint = fraction(y * 260) < 0.16 ? 0.93 : 1.0
    let facade = wall * (0.88 + dirt * 0.14 + (brick - 0.5) * 0.1) * joint * light * (u < 0.03 ? 0.7 : 1)
    guard storey >= 0 else {
      return hole(u, 0.5, 0.1, y, eaves - 0.02, 0.02) ? rgb(0x26303C) * light : facade
    }
    let level = floorInt(storey)
    let column = floorInt(u * columns)
    let (du, dv) = (fraction(u * columns) - 0.5, fraction(storey) - 0.5)
    if level == floors - 1 && column == 0 {
      guard abs(du) < 0.22, dv > -0.32 else { return facade }
      return abs(du) > 0.18
        ? rgb(0xE8E2D2) * light : mix(rgb(0x2F4A3A), rgb(0x49321F), pick(6)) * (0.8 + dirt * 0.3) * light
    }
    guard abs(du) < 0.27, abs(dv) < 0.33 else { return facade }
    if abs(du) > 0.23 || abs(dv) > 0.29 || abs(du) < 0.014 || abs(dv + 0.08) < 0.014 { return rgb(0xF3EEE2) * light }
    let isLit = Noise.cell(house * 7 + column, level, seed + 47) > 0.45
    let curtain = Noise.fractal(u * 60, Double(level), 2, seed + 48)
    if isNight && isLit { return mix(rgb(0xFFB84D), rgb(0xFFE9B0), 0.5 - dv + curtain * 0.3) }
    return mix(rgb(0x1B2530), isNight ? rgb(0x2A3350) : rgb(0x9CB8CC), clamp(0.35 - dv * 0.7 + curtain * 0.25))
  }

  private func hole(_ x: Double, _ cx: Double, _ w: Double, _ y: Double, _ cy: Double, _ h: Double) -> Bool {
    abs(x - cx) < w && abs(y - cy) < h
  }

  private func boats(_ x: Double, _ y: Double) -> Color? {
    for boat in 0..<3 {
      let middle = 0.22 + Double(boat) * 0.5 + Noise.cell(boat, 1, seed + 49) * 0.2
      let line = 0.775 + Noise.cell(boat, 2, seed + 49) * 0.12
      let (dx, dy) = ((x - middle) / 0.15, (y - line) / 0.05)
      if dy > -0.55 + dx * dx * -0.35, dy < 0.5, dx * dx < 1 - (dy + 0.4) * 0.35 {
        let planks = 0.85 + 0.15 * Noise.fractal(x * 20, y * 300, 3, seed + 50)
        if dy < -0.4 - dx * dx * 0.3 { return rgb(0xEFE8D8) * light }
        return rgb([0x2D5D7B, 0xB03A2E, 0xEDEAE0][boat]) * planks * light * (1.05 - dy * 0.4)
      }
      let up = line - 0.02 - y
      if abs(x - middle) < 0.0035, up > 0, up < 0.34 { return rgb(0x6A5238) * light }
      let sail = (x - middle) / max(0.0001, 0.11 * (1 - up / 0.32))
      if !isNight, boat != 1, up > 0.035, up < 0.3, sail > 0.04, sail < 1 - up {
        return mix(rgb(0xF6F0DF), rgb(0xC9BEA4), sail * 0.5 + Noise.fractal(x * 8, y * 40, 4, seed + 51) * 0.3) * light
      }
    }
    return nil
  }
}
