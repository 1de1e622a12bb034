/// A striped tower on rocks above a rough sea.
struct Lighthouse: Scene {
  let seed: Int

  func color(_ x: Double, _ y: Double) -> Color {
    let rocks = 0.6 + (x - 0.3) * (x - 0.3) * 0.9 - Noise.fractal(x * 6, 0.2, 6, seed + 1) * 0.05
    if let tower = tower(x, y), y < rocks + 0.02 { return tower }
    if y > rocks, y < 0.78 + Noise.fractal(x * 7, 0.9, 4, seed + 8) * 0.05 { return rock(x, y, rocks) }
    return y > 0.66 ? sea(x, y) : sky(x, y)
  }

  private func sky(_ x: Double, _ y: Double) -> Color {
    let cloud = Noise.fractal(x * 1.7, y * 3.6, 8, seed + 2)
    let under = Noise.fractal(x * 1.7, y * 3.6 - 0.16, 6, seed + 2)
    let color = mix(rgb(0x3D6EA5), rgb(0xE9D9C0), smoothStep(0, 0.68, y))
    return mix(color, mix(rgb(0xFDF6EA), rgb(0x6F7C92), 0.45 + (under - cloud) * -1.3), smoothStep(-0.15, 0.35, cloud))
  }

  private func tower(_ x: Double, _ y: Double) -> Color? {
    let (middle, top, foot) = (0.31, 0.2, 0.6)
    let half = 0.035 + (y - top) * 0.05
    let across = (x - middle) / half
    let round = 0.5 + 0.5 * (1 - min(across * across, 1)).squareRoot() - across * 0.25
    let weather = 0.94 + Noise.fractal(x * 40, y * 14, 5, seed + 3) * 0.12
    if y > top, y < foot + 0.04, abs(across) < 1 {
      let isRed = floorInt((y - top) / 0.082) % 2 == 0
      let isWindow = abs(across + 0.1) < 0.16 && abs(fraction((y - top) / 0.164) - 0.3) < 0.09
      return isWindow ? rgb(0x222A33) : rgb(isRed ? 0xB3261E : 0xF4F1EA) * round * weather
    }
    if y > top - 0.012, y <= top, abs(x - middle) < 0.055 { return rgb(0x3A3F46) * round }
    if y > top - 0.07, y <= top - 0.012, abs(x - middle) < 0.03 {
      let isBar = abs(fraction((x - middle) * 60) - 0.5) > 0.42
      return isBar ? rgb(0x30343A) : mix(rgb(0xFFE9A8), rgb(0xFFFDF0), round)
    }
    if y > top - 0.11, y <= top - 0.07, abs(x - middle) < (y - top + 0.11) * 0.95 { return rgb(0x8E1C16) * round }
    return nil
  }

  private func rock(_ x: Double, _ y: Double, _ top: Double) -> Color {
    let form = Noise.ridged(x * 7, y * 9, 7, seed + 4)
    let slope = form - Noise.ridged(x * 7 - 0.1, y * 9 - 0.1, 7, seed + 4)
    let lichen = smoothStep(0.2, 0.5, Noise.fractal(x * 25, y * 25, 4, seed + 5))
    let wet = smoothStep(0.7, 0.76, y)
    let stone = mix(rgb(0x2B2A2B), rgb(0xB8A890), 0.38 + slope * 1.7 + form * 0.15)
    return mix(mix(stone, rgb(0xB59A3C), lichen * 0.35), rgb(0x1A1D20), wet * 0.6)
  }

  private func sea(_ x: Double, _ y: Double) -> Color {
    let depth = y - 0.66
    let far = 1 / (depth + 0.045)
    let swell = Noise.fractal(x * far * 0.7, far * 3.1, 6, seed + 6)
    let slope = swell - Noise.fractal(x * far * 0.7 + 0.05, far * 3.1 + 0.25, 6, seed + 6)
    let color = mix(rgb(0x0F3442), rgb(0x86AEB4), 0.38 + slope * 0.95 + (0.1 - depth) * 0.9)
    let foam = smoothStep(0.24, 0.5, swell + Noise.fractal(x * far * 5, far * 9, 4, seed + 7) * 0.3)
    let surf =
      smoothStep(0.06, 0, abs(y - 0.79 - Noise.fractal(x * 7, 0.9, 4, seed + 8) * 0.05)) * smoothStep(0.9, 0.4, x)
    return mix(color, rgb(0xF3F8F8), clamp(foam * 0.8 + surf * (0.5 + swell)))
  }
}
