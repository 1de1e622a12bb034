/// Holds what a picture's header says.
public struct PictureHeader: Sendable, Hashable {
  /// In pixels, as stored.
  public var width: Int
  /// In pixels, as stored.
  public var height: Int
  /// Bits a sample as stored; of a palette picture bits an index.
  public var bitDepth: Int
  /// Samples a pixel as stored.
  public var components: Int
  /// The manifest's word: `ycbcr` `rgb` `gray` `cmyk` `ycck` `palette` `rgba` `gray-alpha`.
  public var color: String
  /// Progressive JPEG or interlaced PNG.
  public var isProgressive: Bool

  public init(width: Int, height: Int, bitDepth: Int, components: Int, color: String, isProgressive: Bool) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.components = components
    self.color = color
    self.isProgressive = isProgressive
  }
}

/// Tells how a picture ended.
struct PictureEnding: Sendable {
  /// Nil when every code was read and no data is lost.
  var damage: CodecError?
  /// Complaints of the library.
  var warnings: Int
  /// Bytes behind the picture.
  var trailingBytes: UInt64
}

/// Reads one picture from a stream: header, rows, verdict. Its calls are made in the order in which they stand here.
///
/// Belongs to one thread. After a failure every later call fails the same way. `finish` judges a picture whose rows were
/// all read, or that failed.
protocol PictureReader: AnyObject {
  /// Reads up to the first pixels and refuses what the limits forbid.
  func readHeader() throws(CodecError) -> PictureHeader
  /// Gets ready for rows; a JPEG at the smallest fast scale whose long side is at least `minimumLongSide`, all pixels
  /// when it is nil.
  func begin(minimumLongSide: Int?) throws(CodecError) -> RowFormat
  /// Hands over the rows of a progressive picture as its first scan shows it, before the first `readRows`; false when
  /// there is no such stand-in. A loss of data in it is nothing.
  func readScanStandIn(into take: (UnsafeRawBufferPointer, Int) -> Void) -> Bool
  /// Reads up to `maxRows` rows and returns how many; 0 when the picture is done. Rows that came before a failure stay.
  func readRows(into buffer: UnsafeMutableRawBufferPointer, maxRows: Int) throws(CodecError) -> Int
  /// Reads up to the end marker and the rest of the stream, and tells the verdict; of a failure too, and in more detail.
  func finish() -> PictureEnding

  /// The Exif block seen so far: the TIFF bytes without the JPEG's six bytes of signature.
  var exif: (tiff: [UInt8], origin: OrientationSource)? { get }
  /// What the file says of its colours.
  var colour: SourceColour { get }
  /// Stable words of the manifest's `notes`, so far.
  var notes: Set<String> { get }
}
