internal import CPhotoCodecs

/// Reads JPEG through libjpeg: baseline, progressive, arithmetic, gray, colour and ink pictures of every legal sampling.
@safe final class JPEGReader: PictureReader {
  private let reader: OpaquePointer
  /// Kept alive as long as C reads from it.
  private let source: ByteSource
  private var rows: RowFormat?
  private var trailingBytes: UInt64 = 0

  /// Nil without memory.
  init?(_ source: ByteSource, limits: DecodeLimits) {
    guard let reader = unsafe pc_jpeg_reader_create(source.state, PictureFacts.limits(limits)) else { return nil }
    unsafe self.reader = reader
    self.source = source
  }

  deinit {
    unsafe pc_jpeg_reader_destroy(reader)
  }

  func readHeader() throws(CodecError) -> PictureHeader {
    var header = pc_picture_header()
    try check(unsafe pc_jpeg_reader_read_header(reader, &header))
    return PictureFacts.header(header)
  }

  func begin(minimumLongSide: Int?) throws(CodecError) -> RowFormat {
    var format = pc_row_format()
    // Zero asks C for all pixels.
    let minimum = minimumLongSide.map { UInt32(clamping: max(1, $0)) } ?? 0
    try check(unsafe pc_jpeg_reader_begin(reader, minimum, &format))
    let rows = PictureFacts.rows(format)
    self.rows = rows
    return rows
  }

  func readScanStandIn(into take: (UnsafeRawBufferPointer, Int) -> Void) -> Bool {
    guard let rows, unsafe pc_jpeg_reader_begin_stand_in(reader) else { return false }
    let batch = rows.rowsPerBatch
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: batch * rows.rowBytes, alignment: 16)
    defer { unsafe buffer.deallocate() }
    guard let start = buffer.baseAddress else { return false }
    var total = 0
    while true {
      let count = unsafe pc_jpeg_reader_read_stand_in(reader, start.assumingMemoryBound(to: UInt8.self), batch)
      if count == 0 { return total == rows.height }
      unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<(count * rows.rowBytes)]), count)
      total += count
    }
  }

  func readRows(into buffer: UnsafeMutableRawBufferPointer, maxRows: Int) throws(CodecError) -> Int {
    guard let rows, let start = buffer.baseAddress else { return 0 }
    let room = min(maxRows, buffer.count / rows.rowBytes)
    var count = 0
    try check(unsafe pc_jpeg_reader_read_rows(reader, start.assumingMemoryBound(to: UInt8.self), room, &count))
    return count
  }

  func finish() -> PictureEnding {
    let ending = unsafe pc_jpeg_reader_finish(reader)
    trailingBytes = ending.trailing_bytes
    return PictureEnding(
      damage: unsafe CodecError(ending.damage, pc_jpeg_reader_fault(reader)), warnings: Int(ending.warnings),
      trailingBytes: ending.trailing_bytes)
  }

  var exif: (tiff: [UInt8], origin: OrientationSource)? {
    var count = 0
    let start = unsafe pc_jpeg_reader_exif(reader, &count)
    return unsafe PictureFacts.bytes(start, count).map { ($0, .exif) }
  }

  var colour: SourceColour {
    let size = unsafe pc_jpeg_reader_profile_size(reader)
    guard size > 0 else { return SourceColour() }
    let profile = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe pc_jpeg_reader_copy_profile(reader, start)
      count = size
    }
    return SourceColour(icc: profile)
  }

  var notes: Set<String> {
    PictureFacts.notes(unsafe pc_jpeg_reader_notes(reader), trailingBytes: trailingBytes)
  }

  private func check(_ status: PCStatus) throws(CodecError) {
    if let error = unsafe CodecError(status, pc_jpeg_reader_fault(reader)) { throw error }
  }
}
