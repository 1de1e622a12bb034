/// Holds one line of the manifest: all that is known of one photo (interface version 1, "Manifest"). Absent means unknown.
///
/// The `index` is not part of it: a row gets its place when the order is settled.
public struct AssetRow: Sendable, Hashable {
  public enum Status: String, Sendable, CaseIterable { case verified, damaged, failed }

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

  public struct Camera: Sendable, Hashable {
    public var lens: String?
    public var make: String?
    public var model: String?
    public init(lens: String? = nil, make: String? = nil, model: String? = nil) {
      self.lens = lens
      self.make = make
      self.model = model
    }
  }

  public struct Exposure: Sendable, Hashable {
    public var fNumber: Double?
    /// Millimetres.
    public var focalLength: Double?
    public var iso: Int?
    public var seconds: Double?
    public init(fNumber: Double? = nil, focalLength: Double? = nil, iso: Int? = nil, seconds: Double? = nil) {
      self.fNumber = fNumber
      self.focalLength = focalLength
      self.iso = iso
      self.seconds = seconds
    }
  }

  public struct GPS: Sendable, Hashable {
    /// Metres, negative below sea level.
    public var altitude: Double?
    /// Decimal degrees, negative south.
    public var latitude: Double?
    /// Decimal degrees, negative west.
    public var longitude: Double?
    public init(altitude: Double? = nil, latitude: Double? = nil, longitude: Double? = nil) {
      self.altitude = altitude
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  public struct Preview: Sendable, Hashable {
    public enum Source: String, Sendable { case embedded, scan, scaled }
    public var source: Source
    public var width: Int
    public var height: Int
    public init(source: Source, width: Int, height: Int) {
      self.source = source
      self.width = width
      self.height = height
    }
  }

  public struct Verification: Sendable, Hashable {
    public enum Method: String, Sendable { case scaled, full }
    public var method: Method
    public var trailingBytes: UInt64
    public var warnings: Int
    public init(method: Method, trailingBytes: UInt64, warnings: Int) {
      self.method = method
      self.trailingBytes = trailingBytes
      self.warnings = warnings
    }
  }

  public struct Thumbnail: Sendable, Hashable {
    public var size: Int
    public var width: Int
    public var height: Int
    public var bytes: Int
    /// Relative to the output folder.
    public var path: String
    public var sha256: String
    public init(size: Int, width: Int, height: Int, bytes: Int, path: String, sha256: String) {
      self.size = size
      self.width = width
      self.height = height
      self.bytes = bytes
      self.path = path
      self.sha256 = sha256
    }
  }

  /// How the original lies below the output folder.
  public enum OriginalKind: String, Sendable { case copy, symlink }

  /// A file that belongs to the photo and stands beside it, such as its XMP.
  public struct SideFile: Sendable, Hashable {
    /// Relative to the source folder, as the photo's own path.
    public var path: RelativePath
    public var bytes: UInt64
    public var sha256: String
    public init(path: RelativePath, bytes: UInt64, sha256: String) {
      self.path = path
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  public var path: RelativePath
  public var status: Status
  /// Present exactly when the status is not `verified`.
  public var error: LoadFailure?
  /// Stable words; the encoder sorts them and leaves an empty set out.
  public var notes: Set<String> = []
  public var bytes: UInt64?
  /// RFC 3339 with nine digits and `Z`.
  public var modified: String?
  /// Lower-case hex.
  public var sha256: String?
  public var format: String?
  public var width: Int?
  public var height: Int?
  public var displayWidth: Int?
  public var displayHeight: Int?
  /// 1 through 8.
  public var orientation: Int?
  /// `exif`, `png-exif` or `png-text`.
  public var orientationSource: String?
  public var bitDepth: Int?
  public var components: Int?
  public var color: String?
  public var isProgressive: Bool?
  /// The description inside the ICC profile.
  public var profile: String?
  public var captured: Captured?
  public var camera: Camera?
  public var exposure: Exposure?
  public var gps: GPS?
  /// EXIF ImageDescription.
  public var description: String?
  /// EXIF UserComment; `commentBase64` holds its raw bytes where they are no text.
  public var comment: String?
  public var commentBase64: String?
  public var preview: Preview?
  public var verification: Verification?
  public var thumbnails: [Thumbnail] = []
  /// Whether and how the original lies under `originals/`, with `--originals`.
  public var original: OriginalKind?
  /// With `--everything`, in the order of their bytes.
  public var sideFiles: [SideFile] = []

  public init(path: RelativePath, status: Status, error: LoadFailure? = nil) {
    precondition((status == .verified) == (error == nil), "a row has an error exactly when it is not verified")
    self.path = path
    self.status = status
    self.error = error
  }
}
