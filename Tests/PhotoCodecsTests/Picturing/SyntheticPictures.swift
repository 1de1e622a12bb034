@testable import PhotoCodecs

/// Makes pictures whose every sample is known, for the tests of shrinking and turning.
enum SyntheticPictures {
  /// Samples by a rule of their place.
  static func picture(
    _ width: Int, _ height: Int, samples: Int, _ rule: (_ x: Int, _ y: Int, _ sample: Int) -> UInt8
  ) -> Raster {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for sample in 0..<samples { bytes.append(rule(x, y, sample)) }
      }
    }
    return Raster(width: width, height: height, samplesPerPixel: samples, bytes: bytes)
  }

  /// Noise that is the same every time, soft enough to resemble a photo: neighbours are alike.
  static func texture(_ width: Int, _ height: Int, samples: Int) -> Raster {
    var state: UInt32 = 1
    var last: [Int] = Array(repeating: 128, count: samples)
    return picture(width, height, samples: samples) { x, y, sample in
      state = state &* 1_664_525 &+ 1_013_904_223
      let step = Int(state >> 26) - 32
      let block = (x / 16 + y / 16 + sample) % 3 * 60
      last[sample] = min(255, max(0, (last[sample] * 3 + block + 64) / 4 + step))
      return UInt8(last[sample])
    }
  }

  /// Feeds all rows to a maker of thumbnails, `batch` at a time.
  static func push(_ picture: Raster, to maker: ThumbnailMaker, batch: Int = 7) {
    let rowBytes = picture.width * picture.samplesPerPixel
    for row in stride(from: 0, to: picture.height, by: batch) {
      let count = min(batch, picture.height - row)
      let rows = Array(picture.bytes[(row * rowBytes)..<((row + count) * rowBytes)])
      unsafe rows.withUnsafeBytes { unsafe maker.push($0, count: count) }
    }
  }

  /// Shrinks by the code under test.
  static func shrunk(
    _ picture: Raster, _ width: Int, _ height: Int, span: (x: Double, y: Double)? = nil, isPlain: Bool = false
  ) -> Raster? {
    let resizer = Resizer(
      from: PixelSize(width: picture.width, height: picture.height), to: PixelSize(width: width, height: height),
      samplesPerPixel: picture.samplesPerPixel, span: span, isPlain: isPlain)
    guard let resizer else { return nil }
    unsafe picture.bytes.withUnsafeBytes { unsafe resizer.push($0, count: picture.height) }
    return resizer.finish(fill: Array(repeating: 128, count: picture.samplesPerPixel))
  }
}
