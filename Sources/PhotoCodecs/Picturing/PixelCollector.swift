/// Keeps every row of a decoded picture and gives it back whole, upright and in sRGB.
///
/// Takes width x height x samples bytes for the rows, and as much again while it converts and turns them. Not for two
/// threads at once; one picture each.
final class PixelCollector {
  private let size: PixelSize
  private let layout: RowLayout
  private var bytes: [UInt8] = []
  /// How many of `height` rows have come.
  private(set) var rowsPushed = 0

  /// - Parameters:
  ///   - width: of the rows that will be pushed.
  ///   - height: of the picture that they make. The caller has held both against its limit of pixels.
  init(width: Int, height: Int, layout: RowLayout) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    size = PixelSize(width: width, height: height)
    self.layout = layout
    bytes.reserveCapacity(width * height * layout.samplesPerPixel)
  }

  /// Takes `count` whole rows, from the top; what comes after the last row of the picture is ignored.
  func push(_ rows: UnsafeRawBufferPointer, count: Int) {
    let taken = min(count, size.height - rowsPushed)
    guard taken > 0 else { return }
    let rowBytes = size.width * layout.samplesPerPixel
    precondition(rows.count / rowBytes >= taken, "the buffer is shorter than its rows")
    unsafe bytes.append(contentsOf: rows.prefix(taken * rowBytes))
    rowsPushed += taken
  }

  /// The picture and the notes on colour (`profile-ignored`); rows that never came are mid-gray (128 in the picture's
  /// own encoding). The collector is empty afterwards.
  func finish(
    orientation: Int, colour: SourceColour, converter: ColourConverter = ColourConverter()
  ) -> (picture: PixelBuffer, notes: Set<String>) {
    if rowsPushed < size.height {
      let row = [UInt8](repeatElement(layout.midGray, count: size.width).joined())
      for _ in rowsPushed..<size.height { bytes.append(contentsOf: row) }
      rowsPushed = size.height
    }
    let stored = Raster(
      width: size.width, height: size.height, samplesPerPixel: layout.samplesPerPixel, bytes: bytes)
    bytes = []
    let (converted, notes) = converter.convert(stored, layout: layout, colour: colour)
    let upright = converted.upright(orientation)
    return (PixelBuffer(width: upright.width, height: upright.height, pixels: upright.inRGB), notes)
  }
}
