/// Reads where a picture was taken (Exif 3.0, section 4.6.7). A part that is no number makes the whole value absent.
enum ExifPosition {
  /// Decimal degrees, negative south; nil when absent, not a number or beyond the poles.
  static func latitude(in entries: ExifEntries) -> Double? {
    degrees(
      entries[.gps, ExifTag.latitude], ref: entries[.gps, ExifTag.latitudeRef], negative: UInt8(ascii: "S"), limit: 90)
  }

  /// Decimal degrees, negative west; nil when absent, not a number or more than half a turn.
  static func longitude(in entries: ExifEntries) -> Double? {
    degrees(
      entries[.gps, ExifTag.longitude], ref: entries[.gps, ExifTag.longitudeRef], negative: UInt8(ascii: "W"),
      limit: 180)
  }

  /// Metres, negative below sea level (reference 1) or below the ellipsoid (3).
  static func altitude(in entries: ExifEntries) -> Double? {
    guard let metres = entries[.gps, ExifTag.altitude]?.number() else { return nil }
    let reference = entries[.gps, ExifTag.altitudeRef]?.integer() ?? 0
    return signed(metres, isNegative: reference == 1 || reference == 3)
  }

  /// Degrees, minutes and seconds; minutes and seconds may be left out. 0/0 is "unknown", 0/1 is a true zero.
  private static func degrees(_ value: ExifValue?, ref: ExifValue?, negative: UInt8, limit: Double) -> Double? {
    guard let value, value.format == 5 || value.format == 10 else { return nil }
    var sum = 0.0
    for place in 0..<min(3, value.bytes.count / 8) {
      guard let part = value.number(at: place), part >= 0 else { return nil }
      sum += part / [1, 60, 3600][place]
    }
    guard value.bytes.count >= 8, sum <= limit else { return nil }
    return signed(sum, isNegative: ref?.textBytes?.first.map { $0 & 0xDF } == negative)
  }

  private static func signed(_ number: Double, isNegative: Bool) -> Double {
    // Not minus zero: it would be written as "-0".
    isNegative && number != 0 ? -number : number
  }
}
