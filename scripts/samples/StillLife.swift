/// Fruit on a woven cloth before a plastered wall: rays against spheres and one plane.
struct StillLife: Scene {
  let seed: Int

  private struct Fruit {
    let centre: Color
    let radius: Double
    let skin: Int
  }

  private let fruits = [
    Fruit(centre: [-1.15, 0.62, 3.9], radius: 0.62, skin: 0xC0392B),
    Fruit(centre: [0.1, 0.7, 4.5], radius: 0.7, skin: 0xE58E26),
    Fruit(centre: [1.25, 0.58, 3.8], radius: 0.58, skin: 0x8FA83A),
    Fruit(centre: [0.35, 0.42, 3.0], radius: 0.42, skin: 0x6B2D5C),
    Fruit(centre: [-0.5, 0.36, 2.75], radius: 0.36, skin: 0xD9B23A),
  ]
  private let light = Self.unit([-0.6, 0.75, -0.45])

  func color(_ x: Double, _ y: Double) -> Color {
    let eye: Color = [0, 1.7, -0.6]
    let ray = Self.unit([(x - 0.75) * 1.15, (0.42 - y) * 1.15 - 0.22, 1])
    if let (fruit, distance) = hit(eye, ray) { return skin(fruit, eye + ray * distance, ray) }
    if ray.y < -0.02 {
      let point = eye - ray * (eye.y / ray.y)
      if point.z < 6.2 { return cloth(point) }
    }
    let stain = Noise.fractal(x * 3, y * 3, 6, seed + 1)
    let plaster = Noise.fractal(x * 45, y * 45, 4, seed + 2)
    return mix(rgb(0x4A5550), rgb(0x9DA594), 0.62 - x * 0.3 + stain * 0.16 + plaster * 0.09)
  }

  private static func dot(_ a: Color, _ b: Color) -> Double { (a * b).sum() }
  private static func unit(_ a: Color) -> Color { a / dot(a, a).squareRoot() }

  private func hit(_ from: Color, _ ray: Color) -> (Fruit, Double)? {
    var nearest: (Fruit, Double)?
    for fruit in fruits {
      let to = from - fruit.centre
      let b = Self.dot(to, ray)
      let inside = b * b - Self.dot(to, to) + fruit.radius * fruit.radius
      guard inside > 0 else { continue }
      let distance = -b - inside.squareRoot()
      if distance > 0.001, distance < nearest?.1 ?? 1e9 { nearest = (fruit, distance) }
    }
    return nearest
  }

  /// Light that reaches a point: soft at the rim of a shadow, darker where fruit is near.
  private func exposure(_ point: Color, but own: Fruit?) -> Double {
    var lit = 1.0
    for fruit in fruits where fruit.centre != own?.centre {
      let to = fruit.centre - point
      let along = Self.dot(to, light)
      let aside = Self.dot(to, to) - along * along
      if along > 0 { lit *= 0.25 + 0.75 * smoothStep(0.75, 1.25, aside.squareRoot() / fruit.radius) }
      lit *= 1 - 0.45 * smoothStep(1.7, 0.9, Self.dot(to, to).squareRoot() / fruit.radius)
    }
    return lit
  }

  private func skin(_ fruit: Fruit, _ point: Color, _ ray: Color) -> Color {
    let normal = Self.unit(point - fruit.centre)
    let mark = fruit.skin
    let streak = Noise.fractal(normal.x * 9 + Double(mark % 7), normal.y * 2.5, 5, seed + mark)
    let pore = Noise.fractal(normal.x * 38, normal.y * 38 + normal.z * 20, 3, seed + mark + 1)
    let base = mix(rgb(mark), rgb(0xF0D27A), clamp(0.18 + streak * 0.5)) * (1 + pore * 0.12)
    let lit = max(0, Self.dot(normal, light)) * exposure(point, but: fruit)
    let mirror = ray - normal * (2 * Self.dot(ray, normal))
    let shine = smoothStep(0.93, 1, Self.dot(mirror, light) + pore * 0.012)
    let bounce = clamp(-normal.y) * 0.22
    return base * (0.2 + lit * 0.95) + rgb(0xB9A98A) * bounce + Color(repeating: shine * 0.55)
  }

  private func cloth(_ point: Color) -> Color {
    let fold = Noise.fractal(point.x * 0.9, point.z * 0.9, 4, seed + 5)
    let slope = fold - Noise.fractal(point.x * 0.9 + 0.08, point.z * 0.9 + 0.05, 4, seed + 5)
    let weave = Weave(seed: seed + 6).color(point.x * 0.55 + fold * 0.03, point.z * 0.55)
    return weave * (0.72 + slope * 2.4) * exposure(point, but: nil) + Color(repeating: 0.02)
  }
}
