import CPhotoCodecs

extension Raster {
  /// A baseline JPEG of a gray or RGB picture: 4:2:0, Huffman tables of its own, a JFIF header and no other metadata.
  ///
  /// Nil when a side is longer than JPEG allows or memory is short.
  func jpeg(quality: Int) -> [UInt8]? {
    var file = unsafe pc_jpeg_file(bytes: nil, count: 0)
    defer { unsafe pc_jpeg_file_free(&file) }
    let status = unsafe bytes.withUnsafeBufferPointer { pixels -> PCWriterStatus in
      guard let first = pixels.baseAddress else { return .badSize }
      return unsafe pc_jpeg_writer_encode(first, width, height, CInt(samplesPerPixel), CInt(quality), &file)
    }
    switch status {
    case .done: return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    case .badSize, .noMemory, .failed: return nil
    }
  }

  /// The longest side that a JPEG can have here.
  static let longestJPEGSide = Int(PC_JPEG_WRITER_LONGEST_SIDE)
}
