/// Names an image format by its content.
public enum PhotoFormat: String, Sendable, CaseIterable {
  case jpeg, png
  case heic, avif, webp, tiff, gif, bmp, jp2, jxl, cr2, cr3, rw2, raf

  /// The name as people write it.
  public var displayName: String {
    switch self {
    case .webp: "WebP"
    case .jp2: "JPEG 2000"
    case .jxl: "JPEG XL"
    case .cr2, .cr3: "Canon \(rawValue.uppercased())"
    case .rw2: "Panasonic RW2"
    case .raf: "Fujifilm RAF"
    case .jpeg, .png, .heic, .avif, .tiff, .gif, .bmp: rawValue.uppercased()
    }
  }
}
