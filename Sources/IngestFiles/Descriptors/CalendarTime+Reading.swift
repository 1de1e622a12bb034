extension FileIdentity {
  /// Reads a time as `modifiedRFC3339` writes it; nil for anything else.
  public static func time(rfc3339 text: String) -> (seconds: Int64, nanoseconds: Int32)? {
    // -YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ, with a minus and more digits of the year where it needs them.
    let bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    let parts = bytes[(isNegative ? 1 : 0)...].split(
      omittingEmptySubsequences: false, whereSeparator: { "-T:.Z".utf8.contains($0) })
    let lengths = [4, 2, 2, 2, 2, 2, 9, 0]
    guard parts.count == lengths.count, zip(parts, lengths).dropFirst().allSatisfy({ $0.count == $1 }),
      (4...15).contains(parts[0].count)
    else { return nil }
    let numbers = parts.dropLast().map { Int64(String(decoding: $0, as: UTF8.self)) }
    guard let year = numbers[0], let month = numbers[1], let day = numbers[2], let hour = numbers[3],
      let minute = numbers[4], let second = numbers[5], let nanoseconds = numbers[6], (1...12).contains(month)
    else { return nil }
    let days = CalendarTime.days(toYear: isNegative ? -year : year, month: Int(month)) + day - 1
    // Foreign text: a year of twelve digits may lie beyond all seconds that there are.
    let (whole, isTooFar) = days.multipliedReportingOverflow(by: 86_400)
    let (seconds, isBeyond) = whole.addingReportingOverflow(hour * 3600 + minute * 60 + second)
    guard !isTooFar, !isBeyond else { return nil }
    // What this way does not lead back to the same text was not written by us: February 30.
    guard CalendarTime(secondsSince1970: seconds).text(nanoseconds: Int(nanoseconds)) == text else { return nil }
    return (seconds, Int32(nanoseconds))
  }
}

extension CalendarTime {
  /// Days from 1970-01-01 to the first day of a month.
  fileprivate static func days(toYear year: Int64, month: Int) -> Int64 {
    // A year that begins in March has its leap day at the end.
    let marchYear = month > 2 ? year : year - 1
    let monthFromMarch = Int64((month + 9) % 12)
    let leapDays = floorDivide(marchYear, 4) - floorDivide(marchYear, 100) + floorDivide(marchYear, 400)
    // 719,468 days lie between the first of March of the year 0 and 1970-01-01.
    return marchYear * 365 + leapDays + (153 * monthFromMarch + 2) / 5 - 719_468
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}
