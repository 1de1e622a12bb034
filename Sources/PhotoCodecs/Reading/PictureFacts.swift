internal import CPhotoCodecs

/// Maps what the C readers tell into this target's own values; the same for JPEG and PNG.
enum PictureFacts {
  static func header(_ header: pc_picture_header) -> PictureHeader {
    PictureHeader(
      width: Int(header.width), height: Int(header.height), bitDepth: Int(header.bit_depth),
      components: Int(header.components), color: word(header.color), isProgressive: header.is_progressive)
  }

  private static func word(_ color: PCColor) -> String {
    switch color {
    case .gray: "gray"
    case .RGB: "rgb"
    case .yCbCr: "ycbcr"
    case .CMYK: "cmyk"
    case .YCCK: "ycck"
    case .palette: "palette"
    case .grayAlpha: "gray-alpha"
    case .RGBA: "rgba"
    }
  }

  static func rows(_ format: pc_row_format) -> RowFormat {
    let layout: RowLayout =
      switch format.channels {
      case 1: .gray
      case 4: .cmyk
      default: .rgb
      }
    return RowFormat(
      width: Int(format.width), height: Int(format.height), layout: layout, isFullScale: format.is_full_scale)
  }

  static func notes(_ bits: UInt32, trailingBytes: UInt64) -> Set<String> {
    let words: [(UInt32, String)] = [
      (UInt32(PC_NOTE_ODD_HEADER), "odd-header"), (UInt32(PC_NOTE_EXTRA_IMAGES), "extra-images"),
      (UInt32(PC_NOTE_TEXT_DROPPED), "text-dropped"), (UInt32(PC_NOTE_PROFILE_IGNORED), "profile-ignored"),
      (UInt32(PC_NOTE_CMYK_NO_MARKER), "cmyk-no-marker"), (UInt32(PC_NOTE_EXIF_BROKEN), "exif-broken"),
    ]
    var notes = Set(words.filter { bits & $0.0 != 0 }.map(\.1))
    if trailingBytes > 0 { notes.insert("trailing-data") }
    return notes
  }

  static func limits(_ limits: DecodeLimits) -> pc_limits {
    pc_limits(
      pixels: UInt64(clamping: limits.maxPixels), memory: UInt64(clamping: limits.maxMemory),
      scans: UInt32(clamping: limits.maxScans))
  }

  /// The bytes of a C buffer that may be absent.
  static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8]? {
    guard let start = unsafe start, count > 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}
