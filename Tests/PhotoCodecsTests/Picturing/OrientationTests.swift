import Testing

@testable import PhotoCodecs

/// A1: all eight orientations give, pixel for pixel, what orientation 1 gives.
@Suite(.timeLimit(.minutes(1)))
struct OrientationTests {
  /// Stores an upright picture the way a camera held by `orientation` would: the rule of CIPA DC-008 4.6.4, which says
  /// which side of the scene row 0 and column 0 are.
  static func stored(_ upright: Raster, orientation: Int) -> Raster {
    let swaps = orientation >= 5
    let width = swaps ? upright.height : upright.width
    let height = swaps ? upright.width : upright.height
    return SyntheticPictures.picture(width, height, samples: upright.samplesPerPixel) { column, row, sample in
      let right = upright.width - 1
      let bottom = upright.height - 1
      let (x, y) =
        switch orientation {
        case 2: (right - column, row)  // row 0 is the top, column 0 the right
        case 3: (right - column, bottom - row)  // bottom, right
        case 4: (column, bottom - row)  // bottom, left
        case 5: (row, column)  // left, top
        case 6: (right - row, column)  // right, top
        case 7: (right - row, bottom - column)  // right, bottom
        case 8: (row, bottom - column)  // left, bottom
        default: (column, row)
        }
      return upright.bytes[(y * upright.width + x) * upright.samplesPerPixel + sample]
    }
  }

  @Test(arguments: 1...8, [1, 3])
  func `a stored picture comes out upright`(orientation: Int, samples: Int) {
    let upright = SyntheticPictures.texture(13, 7, samples: samples)
    #expect(OrientationTests.stored(upright, orientation: orientation).upright(orientation) == upright)
  }

  @Test(arguments: [-1, 0, 9, 255, Int.max])
  func `an orientation out of range means 1`(orientation: Int) {
    let picture = SyntheticPictures.texture(5, 4, samples: 3)
    #expect(picture.upright(orientation) == picture)
  }

  @Test(arguments: 1...8)
  func `thumbnails come out upright, whatever way the picture is stored`(orientation: Int) throws {
    let upright = SyntheticPictures.texture(120, 80, samples: 3)
    let expected = PlainLanczos.shrunk(upright, 60, 40)
    let stored = OrientationTests.stored(upright, orientation: orientation)
    let maker = ThumbnailMaker(width: stored.width, height: stored.height, layout: .rgb, sizes: [60])
    SyntheticPictures.push(stored, to: maker)
    let picture = try #require(
      maker.finishPixels(orientation: orientation, colour: SourceColour()).pictures.first)
    #expect(picture.width == 60 && picture.height == 40)
    #expect(zip(picture.pixels, expected.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func `a whole picture comes out upright`() {
    let upright = SyntheticPictures.texture(12, 9, samples: 3)
    let stored = OrientationTests.stored(upright, orientation: 6)
    let collector = PixelCollector(width: stored.width, height: stored.height, layout: .rgb)
    unsafe stored.bytes.withUnsafeBytes { unsafe collector.push($0, count: stored.height) }
    let picture = collector.finish(orientation: 6, colour: SourceColour()).picture
    #expect(picture == PixelBuffer(width: 12, height: 9, pixels: upright.bytes))
  }
}
