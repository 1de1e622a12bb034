/// Settles what each thumbnail is made from: the rows themselves, or a larger thumbnail that is at least twice as large.
struct ThumbnailPlan: Equatable {
  struct Step: Equatable {
    /// The longest side that was asked for.
    var size: Int
    /// As stored, before the orientation.
    var target: PixelSize
    /// Whether the step before this one is its source.
    var isFromLarger: Bool
  }

  /// Largest first, each size once.
  let steps: [Step]

  /// - Parameters:
  ///   - rows: the rows that will be pushed.
  ///   - original: the stored picture that they show, perhaps scaled down; it gives the thumbnails their shape.
  init(rows: PixelSize, original: PixelSize, sizes: [Int]) {
    var steps: [Step] = []
    for size in Set(sizes).sorted(by: >) where size > 0 {
      var target = original.fitted(to: min(size, Raster.longestJPEGSide))
      target.width = min(target.width, rows.width)
      target.height = min(target.height, rows.height)
      let larger = steps.last?.target.longestSide ?? 0
      steps.append(Step(size: size, target: target, isFromLarger: larger / 2 >= target.longestSide))
    }
    self.steps = steps
  }
}
