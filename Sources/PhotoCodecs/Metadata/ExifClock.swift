/// Reads the capture time: the digits that the camera wrote, never moved to another zone.
///
/// Exif 3.0, section 4.6.6: date and time are `YYYY:MM:DD HH:MM:SS` in ASCII, blanks where unknown; the fraction of the
/// second and the offset from UTC stand in tags of their own, one each for the original and the digitized time.
enum ExifClock {
  /// The time the picture was taken; else the time it was digitized; nil when neither is a date.
  static func captured(in entries: ExifEntries) -> PhotoMetadata.Captured? {
    time(
      entries[.exif, ExifTag.dateTimeOriginal], fraction: entries[.exif, ExifTag.subSecTimeOriginal],
      offset: entries[.exif, ExifTag.offsetTimeOriginal], source: "exif:DateTimeOriginal")
      ?? time(
        entries[.exif, ExifTag.dateTimeDigitized], fraction: entries[.exif, ExifTag.subSecTimeDigitized],
        offset: entries[.exif, ExifTag.offsetTimeDigitized], source: "exif:DateTimeDigitized")
  }

  private static func time(
    _ value: ExifValue?, fraction: ExifValue?, offset: ExifValue?, source: String
  ) -> PhotoMetadata.Captured? {
    guard let text = value?.textBytes, var local = localTime(text) else { return nil }
    if let digits = fraction?.textBytes.flatMap(subSeconds) { local += "." + digits }
    return PhotoMetadata.Captured(local: local, offset: offset?.textBytes.flatMap(zoneOffset), source: source)
  }

  /// `2024-07-01T02:13:00` from `2024:07:01 02:13:00`; nil for all zeros, blanks and what is no date of a calendar.
  ///
  /// Some programs write the date with other separators, or a `T` before the time; the digits are what counts.
  static func localTime(_ bytes: [UInt8]) -> String? {
    let text = Array(trimmed(bytes))
    guard text.count == 19, [4, 7].allSatisfy({ Array(":-/.".utf8).contains(text[$0]) }),
      Array(" T".utf8).contains(text[10]), [13, 16].allSatisfy({ text[$0] == UInt8(ascii: ":") }),
      let year = digits(text[0..<4]), let month = digits(text[5..<7]), let day = digits(text[8..<10]),
      let hour = digits(text[11..<13]), let minute = digits(text[14..<16]), let second = digits(text[17..<19])
    else { return nil }
    // 60 is a leap second.
    guard year > 0, (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var parts = text
    parts[4] = UInt8(ascii: "-")
    parts[7] = UInt8(ascii: "-")
    parts[10] = UInt8(ascii: "T")
    return String(decoding: parts, as: UTF8.self)
  }

  /// The digits behind the decimal point, as they are: "7" is seven tenths. Beyond nine there is no meaning.
  static func subSeconds(_ bytes: [UInt8]) -> String? {
    let text = trimmed(bytes)
    guard !text.isEmpty, text.allSatisfy({ isDigit($0) }) else { return nil }
    return String(decoding: text.prefix(9), as: UTF8.self)
  }

  /// `+02:00`; `Z` is UTC. Nil for blanks and other forms: an offset is never guessed.
  static func zoneOffset(_ bytes: [UInt8]) -> String? {
    let text = Array(trimmed(bytes))
    if text == [UInt8(ascii: "Z")] { return "+00:00" }
    guard text.count == 6, Array("+-".utf8).contains(text[0]), text[3] == UInt8(ascii: ":"),
      let hours = digits(text[1..<3]), let minutes = digits(text[4..<6]), hours < 15, minutes < 60
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes before the first NUL, without blanks around them.
  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    ExifText.trimmingEnd(bytes.prefix { $0 != 0 }).drop { $0 == 0x20 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.allSatisfy({ isDigit($0) }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
