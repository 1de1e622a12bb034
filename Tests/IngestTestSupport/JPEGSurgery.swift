/// Takes a JPEG apart at its markers, for tests that change one thing of it.
public enum JPEGSurgery {
  /// A marker segment with its length: what stands before the first scan, or between two.
  public static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + payload
  }

  /// The APP1 segment of an Exif block.
  public static func exif(_ tiff: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + tiff)
  }

  /// One APP2 segment of a profile (ICC.1, annex B.4).
  public static func profilePart(_ number: UInt8, of count: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + bytes)
  }

  /// The file with bytes put behind its first marker.
  public static func inserting(_ bytes: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[..<2]) + bytes + jpeg[2...]
  }

  /// Where each marker of this kind stands that is no data of a scan; segments are stepped over by their lengths.
  public static func places(of wanted: UInt8, in jpeg: [UInt8]) -> [Int] {
    var places: [Int] = []
    var at = 2
    while at + 3 < jpeg.count {
      let marker = jpeg[at + 1]
      guard jpeg[at] == 0xFF, marker >= 0xC0, !(0xD0...0xD8).contains(marker) else {
        at += 1
        continue
      }
      if marker == wanted { places.append(at) }
      if marker == 0xD9 { break }
      at += 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3])
    }
    return places
  }

  /// The file with its frame header's sizes changed.
  public static func resized(_ jpeg: [UInt8], width: Int, height: Int) -> [UInt8] {
    var changed = jpeg
    for marker in [0xC0, 0xC1, 0xC2, 0xC9, 0xCA] as [UInt8] {
      for at in places(of: marker, in: jpeg) {
        changed[at + 5] = UInt8(height >> 8)
        changed[at + 6] = UInt8(height & 0xFF)
        changed[at + 7] = UInt8(width >> 8)
        changed[at + 8] = UInt8(width & 0xFF)
      }
    }
    return changed
  }
}
