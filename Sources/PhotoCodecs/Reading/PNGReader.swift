internal import CPhotoCodecs

/// Reads PNG through libpng: all colour types and depths, interlaced or not; rows come as gray or RGB, laid over white.
@safe final class PNGReader: PictureReader {
  private let reader: OpaquePointer
  /// Kept alive as long as C reads from it.
  private let source: ByteSource
  private var rows: RowFormat?
  private var trailingBytes: UInt64 = 0

  /// Nil without memory.
  init?(_ source: ByteSource, limits: DecodeLimits) {
    guard let reader = unsafe pc_png_reader_create(source.state, PictureFacts.limits(limits)) else { return nil }
    unsafe self.reader = reader
    self.source = source
  }

  deinit {
    unsafe pc_png_reader_destroy(reader)
  }

  func readHeader() throws(CodecError) -> PictureHeader {
    var header = pc_picture_header()
    try check(unsafe pc_png_reader_read_header(reader, &header))
    return PictureFacts.header(header)
  }

  /// PNG has no scales: the rows are always all pixels.
  func begin(minimumLongSide: Int?) throws(CodecError) -> RowFormat {
    var format = pc_row_format()
    try check(unsafe pc_png_reader_begin(reader, &format))
    let rows = PictureFacts.rows(format)
    self.rows = rows
    return rows
  }

  func readScanStandIn(into take: (UnsafeRawBufferPointer, Int) -> Void) -> Bool { false }

  func readRows(into buffer: UnsafeMutableRawBufferPointer, maxRows: Int) throws(CodecError) -> Int {
    guard let rows, let start = buffer.baseAddress else { return 0 }
    let room = min(maxRows, buffer.count / rows.rowBytes)
    var count = 0
    try check(unsafe pc_png_reader_read_rows(reader, start.assumingMemoryBound(to: UInt8.self), room, &count))
    return count
  }

  func finish() -> PictureEnding {
    let ending = unsafe pc_png_reader_finish(reader)
    trailingBytes = ending.trailing_bytes
    return PictureEnding(
      damage: unsafe CodecError(ending.damage, pc_png_reader_fault(reader)), warnings: Int(ending.warnings),
      trailingBytes: ending.trailing_bytes)
  }

  /// The eXIf chunk, before or behind the picture's data; else the old text form (rule 3 of the design).
  var exif: (tiff: [UInt8], origin: OrientationSource)? {
    var count = 0
    let start = unsafe pc_png_reader_exif(reader, &count)
    if let tiff = unsafe PictureFacts.bytes(start, count) { return (RawProfile.withoutSignature(tiff), .pngExif) }
    var isAPP1 = false
    let raw = unsafe pc_png_reader_raw_exif(reader, &count, &isAPP1)
    guard let text = unsafe PictureFacts.bytes(raw, count), let tiff = RawProfile.exif(in: text, isAPP1: isAPP1) else {
      return nil
    }
    return (tiff, .pngText)
  }

  var colour: SourceColour {
    var count = 0
    let start = unsafe pc_png_reader_profile(reader, &count)
    let color = unsafe pc_png_reader_color(reader)
    let points = unsafe withUnsafeBytes(of: color.chromaticities) { unsafe Array($0.bindMemory(to: Double.self)) }
    return SourceColour(
      icc: unsafe PictureFacts.bytes(start, count), pngGamma: color.has_gamma ? color.gamma : nil,
      pngChromaticities: color.has_chromaticities ? points : nil, hasSRGBChunk: color.has_srgb)
  }

  var notes: Set<String> {
    PictureFacts.notes(unsafe pc_png_reader_notes(reader), trailingBytes: trailingBytes)
  }

  private func check(_ status: PCStatus) throws(CodecError) {
    if let error = unsafe CodecError(status, pc_png_reader_fault(reader)) { throw error }
  }
}
