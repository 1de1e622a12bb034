/// Holds a small picture on its way: 8 bits a sample, interleaved, row by row, with 1, 3 or 4 samples a pixel.
struct Raster: Equatable {
  var width: Int
  var height: Int
  var samplesPerPixel: Int
  var bytes: [UInt8]

  var pixelCount: Int { width * height }

  /// The same picture with three samples a pixel: gray is repeated.
  var inRGB: [UInt8] {
    guard samplesPerPixel == 1 else { return bytes }
    var pixels = [UInt8](repeating: 0, count: bytes.count * 3)
    for (index, gray) in bytes.enumerated() {
      pixels[index * 3] = gray
      pixels[index * 3 + 1] = gray
      pixels[index * 3 + 2] = gray
    }
    return pixels
  }
}

extension RowLayout {
  /// 1, 3 or 4.
  var samplesPerPixel: Int {
    switch self {
    case .gray: 1
    case .rgb: 3
    case .cmyk: 4
    }
  }

  /// A neutral mid-gray pixel: it stands for rows that a damaged file does not have.
  var midGray: [UInt8] {
    switch self {
    case .gray: [128]
    case .rgb: [128, 128, 128]
    case .cmyk: [0, 0, 0, 127]
    }
  }
}
