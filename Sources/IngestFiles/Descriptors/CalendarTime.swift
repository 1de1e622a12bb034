/// Turns seconds since 1970 into the digits of a date and a time of day, in UTC and the Gregorian calendar.
struct CalendarTime {
  private static let secondsOfDay: Int64 = 86_400
  /// The calendar repeats after 400 years.
  private static let daysOfCycle: Int64 = 146_097
  /// From 1970-01-01 to 2000-01-01, where a cycle begins, with a leap year.
  private static let daysTo2000: Int64 = 10_957

  let year: Int64
  let month: Int
  let day: Int
  let secondOfDay: Int

  init(secondsSince1970 seconds: Int64) {
    let (days, second) = CalendarTime.divide(seconds, by: CalendarTime.secondsOfDay)
    let (cycle, dayOfCycle) = CalendarTime.divide(days - CalendarTime.daysTo2000, by: CalendarTime.daysOfCycle)
    // The guess is never too late, and at most two years too early.
    var yearOfCycle = dayOfCycle / 366
    while CalendarTime.daysBefore(yearOfCycle + 1) <= dayOfCycle { yearOfCycle += 1 }
    var rest = Int(dayOfCycle - CalendarTime.daysBefore(yearOfCycle))
    let isLeap = yearOfCycle % 4 == 0 && (yearOfCycle % 100 != 0 || yearOfCycle == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    self.year = 2000 + cycle * 400 + yearOfCycle
    self.month = month + 1
    self.day = rest + 1
    self.secondOfDay = Int(second)
  }

  /// `2024-07-01T02:13:00.123456789Z`
  func text(nanoseconds: Int) -> String {
    let date = "\(year < 0 ? "-" : "")\(padded(year.magnitude, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time = "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
    return "\(date)T\(time).\(padded(nanoseconds, 9))Z"
  }

  /// Days from the start of a cycle to the start of one of its years.
  private static func daysBefore(_ year: Int64) -> Int64 {
    let leapDays = (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
    return 365 * year + leapDays
  }

  /// Quotient towards minus infinity, and a remainder that is never negative.
  private static func divide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private func padded(_ value: some BinaryInteger, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
