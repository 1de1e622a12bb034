import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct ThumbnailTests {
  private func thumbnails(
    _ picture: Raster, _ layout: RowLayout, sizes: [Int], batch: Int = 7, orientation: Int = 1
  ) -> [EncodedThumbnail] {
    let maker = ThumbnailMaker(width: picture.width, height: picture.height, layout: layout, sizes: sizes)
    SyntheticPictures.push(picture, to: maker, batch: batch)
    #expect(maker.rowsPushed == picture.height)
    return maker.finish(orientation: orientation, colour: SourceColour()).thumbnails
  }

  @Test(arguments: [RowLayout.gray, .rgb, .cmyk])
  func `the same rows give the same bytes, whatever the batches`(layout: RowLayout) {
    let picture = SyntheticPictures.texture(200, 151, samples: layout.samplesPerPixel)
    let whole = thumbnails(picture, layout, sizes: [100, 40], batch: 151)
    #expect(whole.map(\.size) == [40, 100])
    for batch in [1, 2, 16, 150] {
      #expect(thumbnails(picture, layout, sizes: [40, 100], batch: batch) == whole)
    }
  }

  @Test func `a thumbnail is a baseline JPEG in 4 2 0 with a JFIF header and nothing else`() throws {
    let picture = SyntheticPictures.texture(90, 60, samples: 3)
    let jpeg = try #require(thumbnails(picture, .rgb, sizes: [45], orientation: 6).first?.jpeg)
    let file = try #require(JPEGOutline(jpeg))
    #expect(file.applications == [0xE0])
    #expect(file.frame == 0xC0)
    #expect(file.width == 30 && file.height == 45)
    #expect(file.sampling == [0x22, 0x11, 0x11])
    #expect(jpeg.suffix(2) == [0xFF, 0xD9])
  }

  @Test func `a gray picture stays gray`() throws {
    let picture = SyntheticPictures.texture(90, 60, samples: 1)
    let jpeg = try #require(thumbnails(picture, .gray, sizes: [45]).first?.jpeg)
    #expect(JPEGOutline(jpeg)?.sampling.count == 1)
  }

  @Test func `a picture smaller than the size keeps its own`() {
    let picture = SyntheticPictures.texture(50, 20, samples: 3)
    let made = thumbnails(picture, .rgb, sizes: [256, 1024, 25], orientation: 8)
    #expect(made.map(\.size) == [25, 256, 1024])
    #expect(made.map(\.width) == [10, 20, 20])
    #expect(made.map(\.height) == [25, 50, 50])
    #expect(made[1].jpeg == made[2].jpeg)
  }

  @Test(arguments: [(1, 1), (1, 40), (40, 1), (5000, 1), (2, 3000)])
  func `a picture of one line is a thumbnail too`(sides: (Int, Int)) {
    let picture = SyntheticPictures.texture(sides.0, sides.1, samples: 3)
    for thumbnail in thumbnails(picture, .rgb, sizes: [32, 8]) {
      #expect(max(thumbnail.width, thumbnail.height) == min(thumbnail.size, max(sides.0, sides.1)))
      #expect(JPEGOutline(thumbnail.jpeg)?.width == thumbnail.width)
    }
  }

  @Test(arguments: [(RowLayout.gray, UInt8(255)), (.rgb, 255), (.cmyk, 0)])
  func `rows that never came are mid-gray`(row: (layout: RowLayout, white: UInt8)) throws {
    let samples = row.layout.samplesPerPixel
    let top = SyntheticPictures.picture(64, 32, samples: samples) { _, _, _ in row.white }
    let maker = ThumbnailMaker(width: 64, height: 64, layout: row.layout, sizes: [32, 16])
    SyntheticPictures.push(top, to: maker)
    #expect(maker.rowsPushed == 32)
    let pictures = maker.finishPixels(orientation: 1, colour: SourceColour()).pictures
    #expect(pictures.map(\.width) == [16, 32])
    for picture in pictures {
      #expect(picture.pixels.prefix(picture.width * 3) == ArraySlice(repeating: 255, count: picture.width * 3))
      #expect(picture.pixels.suffix(picture.width * 3) == ArraySlice(repeating: 128, count: picture.width * 3))
    }

    let collector = PixelCollector(width: 64, height: 64, layout: row.layout)
    unsafe top.bytes.withUnsafeBytes { unsafe collector.push($0, count: 32) }
    let whole = collector.finish(orientation: 1, colour: SourceColour()).picture
    #expect(whole.pixels.prefix(64 * 32 * 3).allSatisfy { $0 == 255 })
    #expect(whole.pixels.suffix(64 * 32 * 3).allSatisfy { $0 == 128 })
  }

  @Test func `rows beyond the picture are ignored`() {
    let picture = SyntheticPictures.texture(40, 30, samples: 3)
    let maker = ThumbnailMaker(width: 40, height: 30, layout: .rgb, sizes: [20])
    SyntheticPictures.push(picture, to: maker)
    SyntheticPictures.push(picture, to: maker)
    #expect(maker.rowsPushed == 30)
    let made = maker.finish(orientation: 1, colour: SourceColour()).thumbnails
    #expect(made == thumbnails(picture, .rgb, sizes: [20]))
  }

  @Test func `a small thumbnail made from a larger one is as good as one made from the rows`() {
    let picture = SyntheticPictures.texture(640, 480, samples: 3)
    let maker = ThumbnailMaker(width: 640, height: 480, layout: .rgb, sizes: [256, 64])
    SyntheticPictures.push(picture, to: maker)
    let small = maker.finishPixels(orientation: 1, colour: SourceColour()).pictures[0]
    let plain = PlainLanczos.shrunk(picture, 64, 48)
    let made = Raster(width: 64, height: 48, samplesPerPixel: 3, bytes: small.pixels)
    #expect(PlainLanczos.psnr(made, plain) > 35)
  }

  @Test func `a side that JPEG cannot hold gives no file`() {
    let long = Raster(width: 65_501, height: 1, samplesPerPixel: 1, bytes: Array(repeating: 0, count: 65_501))
    #expect(long.jpeg(quality: 85) == nil)
    let inks = Raster(width: 1, height: 1, samplesPerPixel: 4, bytes: [0, 0, 0, 0])
    #expect(inks.jpeg(quality: 85) == nil)
  }
}
