/// Finds the Exif block of a picture file for the tests: by segment and chunk lengths, never by searching for bytes.
enum MetadataExifFinder {
  /// The TIFF structure of the first Exif segment of a JPEG, or of the eXIf chunk of a PNG.
  static func tiff(in file: [UInt8]) -> [UInt8]? {
    if file.starts(with: [0xFF, 0xD8]) { return jpeg(file) }
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png(file) }
    return nil
  }

  private static func jpeg(_ file: [UInt8]) -> [UInt8]? {
    let prefix = Array("Exif\0\0".utf8)
    var place = 2
    while place + 4 <= file.count {
      guard file[place] == 0xFF else {
        place += 1
        continue
      }
      let marker = file[place + 1]
      if marker == 0xFF || marker == 0x00 {
        place += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 { return nil }
      if (0xD0...0xD8).contains(marker) || marker == 0x01 {
        place += 2
        continue
      }
      let length = Int(file[place + 2]) << 8 | Int(file[place + 3])
      guard length >= 2, place + 2 + length <= file.count else { return nil }
      let segment = file[(place + 4)..<(place + 2 + length)]
      if marker == 0xE1, segment.starts(with: prefix) { return Array(segment.dropFirst(prefix.count)) }
      place += 2 + length
    }
    return nil
  }

  private static func png(_ file: [UInt8]) -> [UInt8]? {
    var place = 8
    while place + 8 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard place + 8 + length <= file.count else { return nil }
      let data = file[(place + 8)..<(place + 8 + length)]
      if Array(file[(place + 4)..<(place + 8)]) == Array("eXIf".utf8) { return Array(data) }
      place += 12 + length
    }
    return nil
  }
}
