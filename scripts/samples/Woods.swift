/// Trunks in mist, the sun between them, fern on the ground.
struct Woods: Scene {
  let seed: Int

  func color(_ x: Double, _ y: Double) -> Color {
    let ray = smoothStep(0.1, 0.6, Noise.fractal(x * 3.4 + y * 1.5, 0.3, 3, seed + 7) + 0.15)
    var color = mix(rgb(0xD9E4B0), rgb(0x5C7A4A), smoothStep(0, 0.95, y) - ray * 0.25)
    let leaves = Noise.fractal(x * 14, y * 14, 6, seed + 8)
    color = mix(color, rgb(0x35582B), smoothStep(-0.1, 0.45, leaves) * smoothStep(0.55, 0.1, y) * 0.85)
    let ground = 0.74 + Noise.fractal(x * 2, 1, 4, seed) * 0.03
    if y > ground { color = fern(x, y, y - ground) }
    for layer in 0..<4 {
      let near = Double(layer)
      let u = x * (9 - near * 2.1) + near * 0.37
      let tree = floorInt(u)
      guard Noise.cell(tree, layer, seed + 1) > 0.3 else { continue }
      let lean = (Noise.cell(tree, layer, seed + 2) - 0.5) * 0.12
      let centre = 0.5 + (Noise.cell(tree, layer, seed + 3) - 0.5) * 0.4 + (y - 0.5) * lean
      let half = 0.07 + near * 0.02 + smoothStep(0.6, 0.95, y) * 0.03 + 0.008 * Noise.smooth(y * 30, u, seed)
      let across = (fraction(u) - centre) / half
      let foot = ground + near * 0.04 + across * across * 0.012
      guard abs(across) < 1, y < foot else { continue }
      let bark = Noise.ridged(u * 22, y * (12 + near * 3), 5, seed + 4)
      let round = (1 - across * across).squareRoot()
      let wood = mix(rgb(0x2A211A), rgb(0x8C7458), bark * 0.6 + (across + 1) * 0.2 * round + ray * 0.12)
      let moss = smoothStep(0.1, 0.5, Noise.fractal(u * 8, y * 9, 4, seed + 6) - across * 0.4)
      color = mix(mix(wood, rgb(0x5F7A33), moss * 0.6), rgb(0xC9D8A8), 0.55 - near * 0.18)
    }
    return color + rgb(0xFFF2B8) * ray * 0.13 * smoothStep(1, 0.2, y)
  }

  private func fern(_ x: Double, _ y: Double, _ depth: Double) -> Color {
    let far = 1 / (depth + 0.12)
    let leaf = Noise.ridged(x * far * 3, far * 5 + Noise.smooth(x * 30, y * 40, seed) * 0.2, 6, seed + 5)
    let sun = Noise.fractal(x * 5, y * 7, 3, seed + 9)
    return mix(rgb(0x1E2C14), rgb(0x9DB548), leaf * 0.85 - 0.12 + sun * 0.35)
  }
}
