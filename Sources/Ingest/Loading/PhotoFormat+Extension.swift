import PhotoCodecs

extension PhotoFormat {
  /// Whether a name with this extension (ASCII, lower case, no dot) promises this format.
  ///
  /// Raw formats that are TIFF inside keep their camera's extension.
  func agrees(withExtension name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    return switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "mpo"].contains(name)
    case .heic: ["heic", "heif", "hif"].contains(name)
    case .tiff: ["tif", "tiff", "dng", "nef", "arw", "orf", "pef", "srw"].contains(name)
    case .jp2: ["jp2"].contains(name)
    case .png, .avif, .webp, .gif, .bmp, .jxl, .cr2, .cr3, .rw2, .raf: name == rawValue
    }
  }
}
