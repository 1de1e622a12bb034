/// Says when a request is signed, in UTC and to the second. It is given from outside, so that a signature can be made
/// again.
public struct SigningTime: Sendable, Hashable {
  /// Since 1970-01-01T00:00:00Z.
  public var seconds: Int64

  /// Takes a time between the years 1970 and 9999; others become the nearer end of that.
  public init(seconds: Int64) {
    self.seconds = min(max(0, seconds), 253_402_300_799)
  }

  /// `20130524T000000Z`, as `x-amz-date` wants it.
  var basic: String { day + "T" + clock + "Z" }

  /// `20130524`.
  var day: String {
    let (year, month, day) = date
    return Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2)
  }

  private var clock: String {
    let second = seconds % 86_400
    return Self.digits(second / 3600, 2) + Self.digits(second / 60 % 60, 2) + Self.digits(second % 60, 2)
  }

  /// The civil date of the Gregorian calendar, counted in years that begin with March, so that a leap day comes last.
  private var date: (year: Int64, month: Int64, day: Int64) {
    let shifted = seconds / 86_400 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    return (
      yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
