/// Describes the rows that a reader delivers: 8 bits a sample, interleaved, without gaps.
struct RowFormat: Sendable, Hashable {
  var width: Int
  var height: Int
  var layout: RowLayout
  /// Whether every pixel is made, and not a smaller picture from all codes.
  var isFullScale: Bool

  /// Bytes from one row to the next.
  var rowBytes: Int { width * layout.samplesPerPixel }
  /// How many rows are worth one call: about 64 KiB of them.
  var rowsPerBatch: Int { max(1, min(height, (64 << 10) / rowBytes)) }
}

extension PictureReader {
  /// Hands batches of rows over until the picture is done; returns how many there were.
  ///
  /// Rows that came before a failure have been handed over when it throws.
  func readRows(
    _ rows: RowFormat, into take: (UnsafeRawBufferPointer, Int) -> Void
  ) throws(CodecError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: rows.rowsPerBatch * rows.rowBytes, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var total = 0
    while true {
      let count = try unsafe readRows(into: buffer, maxRows: rows.rowsPerBatch)
      if count == 0 { return total }
      unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<(count * rows.rowBytes)]), count)
      total += count
    }
  }
}
