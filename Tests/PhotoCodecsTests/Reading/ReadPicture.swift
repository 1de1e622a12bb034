import IngestCore
import IngestTestSupport

@testable import PhotoCodecs

/// Reads one picture through a reader, from its first byte to its verdict, and keeps all that was told.
struct ReadPicture {
  var header: PictureHeader?
  var format: RowFormat?
  var rows: [UInt8] = []
  var rowCount = 0
  /// The rows of the first scan, where they were asked for and came.
  var standIn: [UInt8]?
  /// What a call before the ending threw.
  var failure: CodecError?
  var ending: PictureEnding
  var notes: Set<String>
  var exif: (tiff: [UInt8], origin: OrientationSource)?
  var colour: SourceColour

  /// The verdict at the end, which knows more than a failure on the way.
  var fault: CodecError? { ending.damage ?? failure }

  /// - Parameter step: the most bytes that one read gives.
  init(
    _ bytes: [UInt8], step: Int = .max, minimumLongSide: Int? = nil, wantsStandIn: Bool = false,
    limits: DecodeLimits = DecodeLimits(), cancellation: Cancellation = Cancellation(),
    reading: (any ByteReading)? = nil
  ) throws {
    let source = ByteSource(reading ?? MemoryReading(bytes, step: step), cancellation: cancellation)
    guard let known = Sniffer.format(of: source.peek(Sniffer.prefixLength)),
      let reader = PictureReaders.reader(of: source, format: known, limits: limits)
    else { throw NoReader() }
    var rows: [UInt8] = []
    var count = 0
    do throws(CodecError) {
      header = try reader.readHeader()
      let format = try reader.begin(minimumLongSide: minimumLongSide)
      self.format = format
      if wantsStandIn {
        var standIn: [UInt8] = []
        let came = unsafe reader.readScanStandIn { bytes, _ in unsafe standIn.append(contentsOf: bytes) }
        self.standIn = came ? standIn : nil
      }
      _ = try unsafe reader.readRows(format) { bytes, taken in
        unsafe rows.append(contentsOf: bytes)
        count += taken
      }
    } catch {
      failure = error
    }
    ending = reader.finish()
    notes = reader.notes
    exif = reader.exif
    colour = reader.colour
    self.rows = rows
    rowCount = count
  }

  struct NoReader: Error {}
}
