import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct SizeTests {
  @Test(
    arguments: [
      ([], 0), ([1], 2), ([2], 3), ([3], 5), ([255], 383), ([256], 384), ([256, 1024, 96], 1536), ([8192], 12_288),
      ([.max], (1 << 31) * 3 / 2), ([-5], 0),
    ] as [([Int], Int)])
  func `a decode leaves one and a half times the largest thumbnail`(sizes: [Int], side: Int) {
    #expect(DecodeRequest(thumbnailSizes: sizes).minimumLongSide == side)
    #expect(DecodeRequest(thumbnailSizes: sizes, scale: .full).minimumLongSide == nil)
  }

  /// The tiny JPEGs have 40 pixels: 5, 10, 20 and 40 at the four scales.
  @Test(arguments: [(3, 5), (4, 10), (6, 10), (7, 20), (13, 20), (14, 40), (40, 40), (9000, 40)])
  func `the scale changes at its border and not beside it`(size: Int, side: Int) {
    let rig = DecodingRig(TinyJPEG.baseline.bytes, DecodeRequest(thumbnailSizes: [size], keepsPixels: true))
    #expect(rig.photo.pixels?.width == side)
    #expect(rig.photo.isFullScale == (side == 40))
    #expect(rig.photo.thumbnails.first?.width == min(size, 40))
  }

  @Test(arguments: [1, 2, 8192], [(1, 1), (1, 5000), (5000, 1), (13, 11)])
  func `thumbnails of any size are made of pictures of any shape`(size: Int, sides: (width: Int, height: Int)) throws {
    let png = TinyPNG(sides.width, sides.height)
    let jpeg = try #require(
      SyntheticPictures.texture(sides.width, sides.height, samples: 3).jpeg(quality: 80))
    for bytes in [png.bytes, jpeg] {
      let rig = DecodingRig(bytes, DecodeRequest(thumbnailSizes: [size]))
      #expect(rig.isWhole)
      let thumbnail = try #require(rig.photo.thumbnails.first)
      #expect(max(thumbnail.width, thumbnail.height) == min(size, max(sides.width, sides.height)))
      let read = DecodingRig(thumbnail.jpeg, DecodeRequest(scale: .full))
      #expect(read.isWhole && read.photo.header?.width == thumbnail.width)
    }
  }

  // MARK: The picture itself

  @Test func `a caller gets every pixel with the maximum size`() {
    for kind in TinyJPEG.allCases {
      let rig = DecodingRig(kind.bytes, DecodeRequest(pixels: .maximum, thumbnailSizes: [4]))
      #expect(rig.photo.pixels?.width == 40 && rig.photo.pixels?.height == 24 && rig.photo.isFullScale)
      #expect(rig.photo.thumbnails.first?.width == 4)
    }
  }

  @Test(arguments: [(1, 5), (5, 5), (6, 10), (20, 20), (21, 40), (1000, 40)])
  func `or at least as many as asked for`(side: Int, width: Int) {
    #expect(DecodingRig(TinyJPEG.baseline.bytes, DecodeRequest(pixels: .longSide(side))).photo.pixels?.width == width)
    // The larger wish counts.
    let both = DecodeRequest(pixels: .longSide(side), thumbnailSizes: [13])
    #expect(DecodingRig(TinyJPEG.baseline.bytes, both).photo.pixels?.width == max(20, width))
  }

  @Test func `of a PNG all pixels come, upright and over white`() {
    var png = TinyPNG(13, 11, colorType: 6)
    let rig = DecodingRig(png.bytes, DecodeRequest(pixels: .longSide(2)))
    #expect(rig.photo.pixels == PixelBuffer(width: 13, height: 11, pixels: png.expectedRows))
    png.chunksBefore = [TinyPNG.chunk("eXIf", TinyExif.block(orientation: 6))]
    #expect(DecodingRig(png.bytes, DecodeRequest(pixels: .maximum)).photo.pixels?.width == 11)
  }
}
