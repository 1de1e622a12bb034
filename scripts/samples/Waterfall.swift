/// White water down a wet cliff into a pool.
struct Waterfall: Scene {
  let seed: Int

  func color(_ x: Double, _ y: Double) -> Color {
    let pool = 0.82 + Noise.smooth(x * 3, 0, seed) * 0.01
    let centre = 0.34 + Noise.fractal(y * 2.5, 0.4, 3, seed + 1) * 0.06
    let width = 0.045 + y * 0.07 + Noise.fractal(y * 9, x * 2, 3, seed + 2) * 0.03
    let across = abs(x - centre) / width
    var color = y < pool ? cliff(x, y) : water(x, y, pool, centre)
    if y > 0.09, y < pool + 0.02 {
      let strand = Noise.fractal((x - centre) * 60, y * 5 - across * 0.6, 6, seed + 3)
      let veil = smoothStep(1.1, 0.35, across + strand * 0.4)
      color = mix(color, mix(rgb(0xA9C4CF), rgb(0xFCFEFF), 0.6 + strand), veil)
    }
    let spray = Noise.fractal(x * 5, y * 6, 5, seed + 4)
    let mist = smoothStep(0.3, 0, abs(y - pool) + abs(x - centre) * 0.45 - spray * 0.06)
    return mix(color, rgb(0xE8F1F4), mist * 0.75)
  }

  private func cliff(_ x: Double, _ y: Double) -> Color {
    let bend = Noise.fractal(x * 2.5, y * 2.5, 4, seed + 10) * 0.15
    let layer = Noise.ridged(x * 2.2, (y + bend) * 9, 7, seed + 11)
    let edge = layer - Noise.ridged(x * 2.2 + 0.06, (y + bend) * 9 + 0.12, 7, seed + 11)
    let grain = Noise.fractal(x * 80, y * 80, 3, seed + 12)
    let stone = mix(rgb(0x1F2226), rgb(0x9A9184), 0.34 + edge * 1.5 + layer * 0.2 + grain * 0.14)
    let growth = smoothStep(0.05, 0.4, Noise.fractal(x * 6, y * 5, 6, seed + 13) + abs(x - 0.34) * 1.1 - 0.32)
    let leaf = Noise.fractal(x * 60, y * 60, 4, seed + 14)
    let green = mix(rgb(0x1C3517), rgb(0x8DB048), 0.4 + leaf * 0.7)
    let top = 0.1 + Noise.fractal(x * 9, 0, 5, seed + 15) * 0.03
    return y < top ? mix(rgb(0xDDE9F2), rgb(0xB9CFDF), y * 6) : mix(stone, green, growth * 0.9)
  }

  private func water(_ x: Double, _ y: Double, _ pool: Double, _ centre: Double) -> Color {
    let far = 1 / (y - pool + 0.05)
    let ring = Noise.fractal((x - centre) * far * 1.5, far * 6, 5, seed + 20)
    let mirrored = cliff(x + ring * 0.02, pool - (y - pool) * 2 + ring * 0.02)
    return mix(mix(rgb(0x123A40), mirrored, 0.35), rgb(0xCFE3E4), smoothStep(0.2, 0.7, ring) * 0.5)
  }
}
