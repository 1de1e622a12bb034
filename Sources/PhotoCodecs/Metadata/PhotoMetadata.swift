/// Holds what a photo says of itself beside its pixels. Absent means unknown, never "now", zero or a default.
///
/// The values are those of the Exif block of the file (Exif 3.0, JEITA CP-3451), read by `ExifBlock`.
public struct PhotoMetadata: Sendable, Hashable {
  /// Tells when the picture was taken, by the camera's own clock.
  public struct Captured: Sendable, Hashable {
    /// `2024-07-01T02:13:00.65`: the digits of the file, sub-seconds as a decimal fraction, no zone.
    public var local: String
    /// `+02:00`, only where the file has one for that very tag.
    public var offset: String?
    /// `exif:DateTimeOriginal` or `exif:DateTimeDigitized`.
    public var source: String

    public init(local: String, offset: String? = nil, source: String) {
      self.local = local
      self.offset = offset
      self.source = source
    }
  }

  public var captured: Captured?
  public var make: String?
  public var model: String?
  /// The lens's model name.
  public var lens: String?
  public var fNumber: Double?
  /// Millimetres, as written on the lens (not the 35 mm equivalent).
  public var focalLength: Double?
  public var exposureSeconds: Double?
  public var iso: Int?
  /// Decimal degrees, negative south; -90 through 90.
  public var latitude: Double?
  /// Decimal degrees, negative west; -180 through 180.
  public var longitude: Double?
  /// Metres, negative below sea level.
  public var altitude: Double?
  /// ImageDescription: valid UTF-8 without control characters.
  public var description: String?
  /// UserComment, where it is text: valid UTF-8 without control characters.
  public var comment: String?
  /// The whole UserComment, character code included, in base64; only where it is no text.
  public var commentBase64: String?

  public init() {}
}
