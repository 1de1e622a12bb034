import Foundation

@testable import PhotoCodecs

/// Shrinks by the textbook: double precision, the whole picture in memory, sines taken as they are.
enum PlainLanczos {
  static func shrunk(_ picture: Raster, _ width: Int, _ height: Int) -> Raster {
    let samples = picture.samplesPerPixel
    let across = weights(picture.width, width)
    let down = weights(picture.height, height)
    var narrow = [Double](repeating: 0, count: width * picture.height * samples)
    for y in 0..<picture.height {
      for (x, taps) in across.enumerated() {
        for sample in 0..<samples {
          narrow[(y * width + x) * samples + sample] = taps.reduce(0) {
            $0 + $1.weight * Double(picture.bytes[(y * picture.width + $1.at) * samples + sample])
          }
        }
      }
    }
    var bytes: [UInt8] = []
    for taps in down {
      for column in 0..<(width * samples) {
        let sum = taps.reduce(0) { $0 + $1.weight * narrow[$1.at * width * samples + column] }
        bytes.append(UInt8(min(255, max(0, sum.rounded()))))
      }
    }
    return Raster(width: width, height: height, samplesPerPixel: samples, bytes: bytes)
  }

  /// Peak signal to noise ratio of two pictures of the same shape, in decibels.
  static func psnr(_ one: Raster, _ other: Raster) -> Double {
    let error = zip(one.bytes, other.bytes).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    return error == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.bytes.count) / error)
  }

  private static func weights(_ from: Int, _ to: Int) -> [[(at: Int, weight: Double)]] {
    let scale = Double(from) / Double(to)
    return (0..<to).map { position in
      let centre = (Double(position) + 0.5) * scale
      let taps = (0..<from).map { (at: $0, weight: kernel((Double($0) + 0.5 - centre) / scale)) }
      let sum = taps.reduce(0) { $0 + $1.weight }
      return taps.filter { $0.weight != 0 }.map { ($0.at, $0.weight / sum) }
    }
  }

  private static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= 3 { return 0 }
    return sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3)
  }
}
