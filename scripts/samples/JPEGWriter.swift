/// Writes a baseline or progressive JPEG (ITU-T T.81) with codes made for the picture at hand.
struct JPEGWriter {
  var quality = 88
  /// Luma samples for each chroma sample, across and down: (2, 2) is 4:2:0.
  var sampling = (across: 2, down: 2)
  var isGray = false
  var isProgressive = false
  /// APPn segments: number and content.
  var segments: [(number: UInt8, bytes: [UInt8])] = []

  func file(_ raster: Raster) -> [UInt8] {
    let planes = JPEGPlane.planes(of: raster, quality: quality, sampling: sampling, isGray: isGray)
    var out: [UInt8] = [0xFF, 0xD8]
    for (number, bytes) in segments { out += Self.segment(0xE0 + number, bytes) }
    out += Self.segment(0xDB, [0] + planes[0].quantisers.inZigzag)
    if !isGray { out += Self.segment(0xDB, [1] + planes[1].quantisers.inZigzag) }
    var frame: [UInt8] = [8] + Self.word(raster.height) + Self.word(raster.width) + [UInt8(planes.count)]
    for (index, plane) in planes.enumerated() {
      frame += [UInt8(index + 1), UInt8(plane.across << 4 | plane.down), index == 0 ? 0 : 1]
    }
    out += Self.segment(isProgressive ? 0xC2 : 0xC0, frame)
    let all = Array(planes.indices)
    if isProgressive {
      out += JPEGScan(planes: planes, members: all, first: 0, last: 0).bytes
      out += JPEGScan(planes: planes, members: [0], first: 1, last: 5).bytes
      for member in all.dropFirst() {
        out += JPEGScan(planes: planes, members: [member], first: 1, last: 63).bytes
      }
      out += JPEGScan(planes: planes, members: [0], first: 6, last: 63).bytes
    } else {
      out += JPEGScan(planes: planes, members: all, first: 0, last: 63).bytes
    }
    return out + [0xFF, 0xD9]
  }

  static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

  static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0xFF, marker] + word(bytes.count + 2) + bytes
  }
}

/// The place in a block of each coefficient in the order that scans send them.
let zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
]

extension [Int] {
  var inZigzag: [UInt8] { zigzag.map { UInt8(self[$0]) } }
}
