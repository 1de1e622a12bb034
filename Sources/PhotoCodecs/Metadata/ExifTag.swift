/// Names the tags that this program reads (Exif 3.0, section 4.6) and the directory in which each has its meaning.
enum ExifTag {
  static let imageDescription: UInt16 = 0x010E
  static let make: UInt16 = 0x010F
  static let model: UInt16 = 0x0110
  static let orientation: UInt16 = 0x0112
  static let exifDirectory: UInt16 = 0x8769
  static let gpsDirectory: UInt16 = 0x8825

  static let pictureOffset: UInt16 = 0x0201
  static let pictureLength: UInt16 = 0x0202

  static let exposureTime: UInt16 = 0x829A
  static let fNumber: UInt16 = 0x829D
  static let isoSpeed: UInt16 = 0x8827
  static let dateTimeOriginal: UInt16 = 0x9003
  static let dateTimeDigitized: UInt16 = 0x9004
  static let offsetTimeOriginal: UInt16 = 0x9011
  static let offsetTimeDigitized: UInt16 = 0x9012
  static let focalLength: UInt16 = 0x920A
  static let userComment: UInt16 = 0x9286
  static let subSecTimeOriginal: UInt16 = 0x9291
  static let subSecTimeDigitized: UInt16 = 0x9292
  static let lensModel: UInt16 = 0xA434

  static let latitudeRef: UInt16 = 0x0001
  static let latitude: UInt16 = 0x0002
  static let longitudeRef: UInt16 = 0x0003
  static let longitude: UInt16 = 0x0004
  static let altitudeRef: UInt16 = 0x0005
  static let altitude: UInt16 = 0x0006
}

/// Names the directories (IFDs) of a block that this program looks into.
enum ExifDirectory: Sendable, Hashable, CaseIterable {
  /// IFD0: the main picture.
  case primary
  /// What the camera did.
  case exif
  /// Where it was.
  case gps
  /// IFD1: the stand-in picture.
  case standIn

  /// The tags that count in this directory, and only there: an orientation of IFD1 speaks of the stand-in.
  var tags: Set<UInt16> {
    switch self {
    case .primary:
      [
        ExifTag.imageDescription, ExifTag.make, ExifTag.model, ExifTag.orientation, ExifTag.exifDirectory,
        ExifTag.gpsDirectory,
      ]
    case .exif:
      [
        ExifTag.exposureTime, ExifTag.fNumber, ExifTag.isoSpeed, ExifTag.dateTimeOriginal,
        ExifTag.dateTimeDigitized, ExifTag.offsetTimeOriginal, ExifTag.offsetTimeDigitized, ExifTag.focalLength,
        ExifTag.userComment, ExifTag.subSecTimeOriginal, ExifTag.subSecTimeDigitized, ExifTag.lensModel,
      ]
    case .gps:
      [
        ExifTag.latitudeRef, ExifTag.latitude, ExifTag.longitudeRef, ExifTag.longitude, ExifTag.altitudeRef,
        ExifTag.altitude,
      ]
    case .standIn:
      [ExifTag.pictureOffset, ExifTag.pictureLength]
    }
  }
}
