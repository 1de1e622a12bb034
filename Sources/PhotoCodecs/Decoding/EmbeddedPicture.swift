/// Reads the picture inside an Exif block; it is nothing unless it is whole and shows the same picture.
struct EmbeddedPicture {
  let rows: RowFormat
  private let reader: any PictureReader

  /// Nil when it is no JPEG, or of another shape than the picture that it stands for: they may differ by 1%.
  init?(_ jpeg: [UInt8], of picture: PictureHeader, cancellation: Cancellation) {
    do throws(CodecError) {
      guard let reader = PictureReaders.embedded(jpeg, cancellation: cancellation) else { return nil }
      let small = try reader.readHeader()
      // No side has more than 31 bits, and those of a JPEG have 16.
      let (a, b) = (small.width * picture.height, small.height * picture.width)
      guard abs(a - b) * 100 <= b else { return nil }
      rows = try reader.begin(minimumLongSide: nil)
      self.reader = reader
    } catch {
      return nil
    }
  }

  var colour: SourceColour { reader.colour }

  /// Hands all rows over; false when the picture is damaged: what came of it is then worth nothing.
  func read(into take: (UnsafeRawBufferPointer, Int) -> Void) -> Bool {
    do throws(CodecError) {
      return try unsafe reader.readRows(rows, into: take) == rows.height && reader.finish().damage == nil
    } catch {
      return false
    }
  }
}
