import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct ResizingTests {
  @Test(arguments: [1, 3, 4], [UInt8(0), 1, 127, 200, 255])
  func `a picture of one colour stays that colour`(samples: Int, value: UInt8) throws {
    let flat = SyntheticPictures.picture(101, 67, samples: samples) { _, _, _ in value }
    let small = try #require(SyntheticPictures.shrunk(flat, 33, 22))
    #expect(small.bytes == Array(repeating: value, count: 33 * 22 * samples))
  }

  @Test(arguments: [(101, 67, 33, 22), (128, 128, 64, 64), (300, 200, 299, 199), (90, 31, 30, 31), (64, 2, 13, 1)])
  func `a shrunk picture equals the textbook's within rounding`(sides: (Int, Int, Int, Int)) throws {
    for samples in [1, 3, 4] {
      let picture = SyntheticPictures.texture(sides.0, sides.1, samples: samples)
      let small = try #require(SyntheticPictures.shrunk(picture, sides.2, sides.3))
      let plain = PlainLanczos.shrunk(picture, sides.2, sides.3)
      #expect(PlainLanczos.psnr(small, plain) > 60)
    }
  }

  @Test(arguments: [(401, 267, 33, 22), (512, 300, 64, 30), (90, 310, 7, 31), (640, 2, 5, 1)])
  func `a strongly shrunk picture, boxes first, is close to the textbook's`(sides: (Int, Int, Int, Int)) throws {
    for samples in [1, 3, 4] {
      let picture = SyntheticPictures.texture(sides.0, sides.1, samples: samples)
      let small = try #require(SyntheticPictures.shrunk(picture, sides.2, sides.3))
      #expect(PlainLanczos.psnr(small, PlainLanczos.shrunk(picture, sides.2, sides.3)) > 38)
    }
  }

  @Test(arguments: [
    (101, 67, 33, 22), (300, 200, 299, 199), (64, 2, 5, 1), (9, 1000, 2, 3), (1001, 9, 7, 9), (2, 2, 1, 1),
  ])
  func `every kind of processor makes the same bytes`(sides: (Int, Int, Int, Int)) throws {
    for samples in [1, 3, 4] {
      // Noise, black and white: the sums that reach furthest.
      let pictures = [
        SyntheticPictures.texture(sides.0, sides.1, samples: samples),
        SyntheticPictures.picture(sides.0, sides.1, samples: samples) { x, y, sample in
          (x * 7 + y * 3 + sample + x / 3 * (y / 2)) % 2 == 0 ? 0 : 255
        },
      ]
      for picture in pictures {
        let best = try #require(SyntheticPictures.shrunk(picture, sides.2, sides.3))
        let plain = try #require(SyntheticPictures.shrunk(picture, sides.2, sides.3, isPlain: true))
        #expect(best == plain)
      }
    }
  }

  /// The weights of a kernel as long as this picture took 4.7 GB; boxes leave it few.
  @Test func `a side of many millions of pixels is shrunk with little memory`() throws {
    let small = PixelSize(width: 1, height: 4)
    let height = 5_000_000
    let resizer = try #require(
      Resizer(from: PixelSize(width: 1, height: height), to: small, samplesPerPixel: 1))
    let rows = (0..<height).map { UInt8($0 / 1_250_000 * 50) }
    unsafe rows.withUnsafeBytes { unsafe resizer.push($0, count: height) }
    let made = resizer.finish(fill: [128]).bytes
    #expect(zip(made, [0, 50, 100, 150]).allSatisfy { abs(Int($0) - $1) <= 8 })
  }

  @Test func `a picture with more pixels to a side than boxes can take is refused`() {
    let small = PixelSize(width: 1, height: 65536)
    #expect(Resizer(from: PixelSize(width: 1, height: 1 << 40), to: small, samplesPerPixel: 1) == nil)
  }

  @Test func `a slope stays a slope`() throws {
    let slope = SyntheticPictures.picture(240, 120, samples: 3) { x, y, sample in
      UInt8(sample == 0 ? x : sample == 1 ? y : (x + y) / 2)
    }
    let small = try #require(SyntheticPictures.shrunk(slope, 80, 40))
    for y in 4..<36 {
      for x in 4..<76 {
        let at = (y * 80 + x) * 3
        #expect(abs(Int(small.bytes[at]) - (x * 3 + 1)) <= 1)
        #expect(abs(Int(small.bytes[at + 1]) - (y * 3 + 1)) <= 1)
      }
    }
  }

  @Test func `a picture of the wanted size passes unchanged`() {
    let picture = SyntheticPictures.texture(40, 30, samples: 3)
    #expect(SyntheticPictures.shrunk(picture, 40, 30) == picture)
  }

  @Test(arguments: [(0, 10), (10, 0), (41, 30), (40, 31)])
  func `what would enlarge or vanish is refused`(target: (Int, Int)) {
    let picture = SyntheticPictures.texture(40, 30, samples: 3)
    #expect(SyntheticPictures.shrunk(picture, target.0, target.1) == nil)
  }

  @Test func `sides that overflow are refused`() {
    let small = PixelSize(width: 1, height: 1)
    #expect(Resizer(from: PixelSize(width: Int.max, height: 1), to: small, samplesPerPixel: 4) == nil)
    let huge = PixelSize(width: Int.max / 4, height: Int.max / 4)
    #expect(Resizer(from: huge, to: huge, samplesPerPixel: 4) == nil)
  }

  @Test func `a picture that ends inside its last pixel is not shifted`() throws {
    // A slope of 801 pixels at 1/8: 101 pixels, of which the last stands for one real pixel.
    let scaled = SyntheticPictures.picture(101, 8, samples: 1) { x, _, _ in UInt8(min(200, x * 2)) }
    let span = PixelSize(width: 101, height: 8).span(of: PixelSize(width: 801, height: 64))
    #expect(span.x == 100.125 && span.y == 8)
    let small = try #require(SyntheticPictures.shrunk(scaled, 50, 4, span: span))
    // Output pixel 40 has its centre at 40.5 * 100.125 / 50 = 81.1, where the slope is 2 * (81.1 - 0.5) = 161.2.
    #expect(abs(Int(small.bytes[40]) - 161) <= 1)
  }
}
