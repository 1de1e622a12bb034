/// Turns the rows of a decoded picture into upright sRGB thumbnails of several sizes, in one pass and bounded memory.
///
/// Rows are shrunk as they come, in the picture's own encoding; at the end the small pictures are converted to sRGB,
/// turned upright and written as JPEG (quality 85, 4:2:0, no metadata; one component for a gray picture). The same rows
/// give the same bytes, however they are grouped into pushes. Not for two threads at once; one picture each.
final class ThumbnailMaker {
  private let rows: PixelSize
  private let layout: RowLayout
  private let plan: ThumbnailPlan
  /// One for each step of the plan; nil where the source is the larger thumbnail, or where there is no memory for it.
  private let resizers: [Resizer?]
  /// How many of `height` rows have come.
  private(set) var rowsPushed = 0

  /// - Parameters:
  ///   - width: of the rows that will be pushed.
  ///   - height: of the picture that they make.
  ///   - sizes: longest sides of the thumbnails; order and repetition do not matter.
  ///   - original: the stored size of the picture when the rows are a scaled decode of it. It gives the thumbnails
  ///     their exact shape.
  init(width: Int, height: Int, layout: RowLayout, sizes: [Int], original: PixelSize? = nil) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    let rows = PixelSize(width: width, height: height)
    let original = original ?? rows
    let plan = ThumbnailPlan(rows: rows, original: original, sizes: sizes)
    self.rows = rows
    self.layout = layout
    self.plan = plan
    self.resizers = plan.steps.map { step in
      guard !step.isFromLarger else { return nil }
      let span = step.target == rows ? nil : rows.span(of: original)
      return Resizer(from: rows, to: step.target, samplesPerPixel: layout.samplesPerPixel, span: span)
    }
  }

  /// Takes `count` whole rows, from the top; what comes after the last row of the picture is ignored.
  func push(_ rows: UnsafeRawBufferPointer, count: Int) {
    let taken = min(count, self.rows.height - rowsPushed)
    guard taken > 0 else { return }
    precondition(
      rows.count / (self.rows.width * layout.samplesPerPixel) >= taken, "the buffer is shorter than its rows")
    for resizer in resizers { unsafe resizer?.push(rows, count: taken) }
    rowsPushed += taken
  }

  /// The thumbnails, smallest first, and the notes on colour (`profile-ignored`). Nothing may be pushed afterwards.
  ///
  /// When rows are missing (a damaged picture) the thumbnails hold those that came, and mid-gray (128 in the picture's
  /// own encoding) below. A size is left out only when memory for it is short.
  func finish(
    orientation: Int, colour: SourceColour, converter: ColourConverter = ColourConverter()
  ) -> (thumbnails: [EncodedThumbnail], notes: Set<String>) {
    var thumbnails: [EncodedThumbnail] = []
    let notes = finish(colour, converter) { size, converted, isRepeated in
      if isRepeated, let same = thumbnails.last {
        thumbnails.append(
          EncodedThumbnail(size: size, width: same.width, height: same.height, jpeg: same.jpeg))
        return
      }
      let upright = converted.upright(orientation)
      guard let jpeg = upright.jpeg(quality: 85) else { return }
      thumbnails.append(EncodedThumbnail(size: size, width: upright.width, height: upright.height, jpeg: jpeg))
    }
    return (thumbnails.reversed(), notes)
  }

  /// The pixels of the thumbnails instead of JPEG files, smallest first; all else as `finish(orientation:colour:)`.
  func finishPixels(
    orientation: Int, colour: SourceColour, converter: ColourConverter = ColourConverter()
  ) -> (pictures: [PixelBuffer], notes: Set<String>) {
    var pictures: [PixelBuffer] = []
    let notes = finish(colour, converter) { _, converted, _ in
      let upright = converted.upright(orientation)
      pictures.append(PixelBuffer(width: upright.width, height: upright.height, pixels: upright.inRGB))
    }
    return (pictures.reversed(), notes)
  }

  /// Hands the converted pictures over, largest first; `isRepeated` when one equals the picture before it.
  private func finish(
    _ colour: SourceColour, _ converter: ColourConverter,
    each take: (_ size: Int, _ converted: Raster, _ isRepeated: Bool) -> Void
  ) -> Set<String> {
    var notes: Set<String> = []
    var larger: (raw: Raster, converted: Raster)?
    for (step, resizer) in zip(plan.steps, resizers) {
      if let larger, larger.raw.width == step.target.width, larger.raw.height == step.target.height {
        take(step.size, larger.converted, true)
        continue
      }
      let raw: Raster
      if let resizer {
        raw = resizer.finish(fill: layout.midGray)
      } else if step.isFromLarger, let source = larger?.raw, let made = source.shrunk(to: step.target) {
        raw = made
      } else {
        larger = nil
        continue
      }
      let (converted, said) = converter.convert(raw, layout: layout, colour: colour)
      notes.formUnion(said)
      larger = (raw, converted)
      take(step.size, converted, false)
    }
    return notes
  }
}

extension Raster {
  /// The whole picture made smaller; nil when memory is short.
  fileprivate func shrunk(to target: PixelSize) -> Raster? {
    let resizer = Resizer(
      from: PixelSize(width: width, height: height), to: target, samplesPerPixel: samplesPerPixel)
    guard let resizer else { return nil }
    unsafe bytes.withUnsafeBytes { unsafe resizer.push($0, count: height) }
    return resizer.finish(fill: [UInt8](repeating: 128, count: samplesPerPixel))
  }
}
