internal import IngestCore

/// Chooses the reader for a format.
enum PictureReaders {
  /// A reader of the stream; nil when the format is not decoded.
  static func reader(of source: ByteSource, format: PhotoFormat, limits: DecodeLimits) -> (any PictureReader)? {
    switch format {
    case .jpeg: JPEGReader(source, limits: limits)
    case .png: PNGReader(source, limits: limits)
    case .heic, .avif, .webp, .tiff, .gif, .bmp, .jp2, .jxl, .cr2, .cr3, .rw2, .raf: nil
    }
  }

  /// A reader of a small JPEG in memory, such as the picture inside an Exif block.
  static func embedded(_ jpeg: [UInt8], cancellation: Cancellation) -> (any PictureReader)? {
    let limits = DecodeLimits(maxPixels: 4_000_000, maxMemory: 32 << 20)
    return JPEGReader(
      ByteSource(ArrayReading(jpeg), cancellation: cancellation, capacity: min(jpeg.count, 64 << 10)), limits: limits)
  }
}

/// Reads bytes that are at hand.
private final class ArrayReading: ByteReading {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let count = min(buffer.byteCount, rest.count)
    for (offset, byte) in rest.prefix(count).enumerated() {
      buffer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
    rest = rest.dropFirst(count)
    return count
  }
}
