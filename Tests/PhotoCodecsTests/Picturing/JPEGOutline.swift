/// Tells what segments a JPEG has, up to its first scan, by stepping from length to length.
struct JPEGOutline {
  /// The APPn and COM markers, in order.
  var applications: [UInt8] = []
  /// The SOFn marker.
  var frame: UInt8 = 0
  var width = 0
  var height = 0
  /// One byte a component: horizontal and vertical factor.
  var sampling: [UInt8] = []
  /// The parts of the ICC profile by their number, joined.
  var icc: [UInt8]?

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var parts: [UInt8: ArraySlice<UInt8>] = [:]
    var at = 2
    while at + 4 <= bytes.count {
      guard bytes[at] == 0xFF else { return nil }
      if bytes[at + 1] == 0xFF {
        at += 1
        continue
      }
      let marker = bytes[at + 1]
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { return nil }
      let body = bytes[(at + 4)..<(at + 2 + length)]
      switch marker {
      case 0xDA:
        if !parts.isEmpty { icc = parts.sorted { $0.key < $1.key }.flatMap(\.value) }
        return
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard body.count >= 6 else { return nil }
        let first = body.startIndex
        frame = marker
        height = Int(body[first + 1]) << 8 | Int(body[first + 2])
        width = Int(body[first + 3]) << 8 | Int(body[first + 4])
        sampling = stride(from: first + 7, to: body.endIndex, by: 3).map { body[$0] }
      case 0xE0...0xEF, 0xFE:
        applications.append(marker)
        let name = Array("ICC_PROFILE\0".utf8)
        if marker == 0xE2, body.count > 14, body.starts(with: name) {
          let number = body[body.startIndex + 12]
          if parts[number] == nil { parts[number] = body.dropFirst(14) }
        }
      default: break
      }
      at += 2 + length
    }
    return nil
  }
}
