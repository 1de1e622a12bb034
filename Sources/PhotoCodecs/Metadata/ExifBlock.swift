/// Reads an Exif block: what the photo says of itself, which way is up, and its embedded stand-in picture.
///
/// Takes any bytes whatsoever, in time and memory bounded by the block's size; 64 KiB of it are looked at. Safe on any
/// thread.
enum ExifBlock {
  /// Reads the TIFF structure of an Exif block, without the six bytes `Exif\0\0` that a JPEG has before it.
  static func read(tiff: [UInt8]) -> ExifFacts {
    guard let sieve = ExifSieve(tiff), let entries = ExifEntries(sieve) else { return ExifFacts(isBroken: true) }
    var facts = ExifFacts(metadata: metadata(entries), isBroken: sieve.isBroken)
    if let orientation = entries[.primary, ExifTag.orientation] {
      let stored = orientation.integer() ?? 0
      facts.orientationIgnored = !(1...8).contains(stored)
      facts.orientation = facts.orientationIgnored ? 1 : stored
    }
    if let picture = entries.picture, picture.starts(with: [0xFF, 0xD8]) { facts.embeddedJPEG = picture }
    return facts
  }

  private static func metadata(_ entries: ExifEntries) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.captured = ExifClock.captured(in: entries)
    metadata.make = ExifText.name(entries[.primary, ExifTag.make])
    metadata.model = ExifText.name(entries[.primary, ExifTag.model])
    metadata.lens = ExifText.name(entries[.exif, ExifTag.lensModel])
    metadata.fNumber = positive(entries[.exif, ExifTag.fNumber]?.number())
    metadata.focalLength = positive(entries[.exif, ExifTag.focalLength]?.number())
    metadata.exposureSeconds = positive(entries[.exif, ExifTag.exposureTime]?.number())
    metadata.iso = positive(entries[.exif, ExifTag.isoSpeed]?.integer())
    metadata.latitude = ExifPosition.latitude(in: entries)
    metadata.longitude = ExifPosition.longitude(in: entries)
    metadata.altitude = ExifPosition.altitude(in: entries)
    metadata.description = ExifText.passage(entries[.primary, ExifTag.imageDescription])
    switch ExifComment.read(entries[.exif, ExifTag.userComment]) {
    case .text(let text): metadata.comment = text
    case .undecoded(let base64): metadata.commentBase64 = base64
    case nil: break
    }
    return metadata
  }

  /// Cameras write zero for what they do not know, such as the aperture of a lens without contacts.
  private static func positive<Number: Comparable & ExpressibleByIntegerLiteral>(_ number: Number?) -> Number? {
    number.flatMap { $0 > 0 ? $0 : nil }
  }
}
