/// Says how often and how soon something is tried again.
public struct RetryRules: Sendable, Hashable {
  /// How often one object, or the post, is sent at most.
  public var tries = 5
  /// The longest wait that a server may ask for.
  public var longestWait: Duration = .seconds(300)
  /// The waits without a word of the server: random, up to `first` doubled each time, and no longer than `cap`.
  public var first: Duration = .milliseconds(500)
  public var cap: Duration = .seconds(20)
  /// After so many failures in a row, of whatever object, the server counts as down; three times the objects that are
  /// under way at once if that is more.
  public var failuresInARow = 20
  /// How many tries beyond the first all objects have together, to begin with; each success pays back its own and a half.
  public var budget = 100

  public init() {}

  /// How long to wait after the n-th try, from 1: what the server asks, never longer than `longestWait`, else "full
  /// jitter", so that clients that failed together do not come back together.
  public func wait(afterTry number: Int, asked: Duration?, random: Double = .random(in: 0...1)) -> Duration {
    if let asked { return min(max(asked, .zero), longestWait) }
    let doubled = first * (1 << min(max(0, number - 1), 16))
    return min(cap, doubled) * random
  }
}

/// Reads the Retry-After of an answer (RFC 9110, section 10.2.3): seconds, or a date.
public enum RetryAfter {
  /// - Parameter now: seconds since 1970.
  public static func wait(_ answer: HTTPAnswer, now: Int64) -> Duration? {
    guard let text = answer.header("Retry-After") else { return nil }
    if let seconds = Int64(text) { return seconds < 0 ? nil : .seconds(min(seconds, 1_000_000)) }
    guard let date = seconds(ofDate: text) else { return nil }
    return .seconds(min(max(0, date - now), 1_000_000))
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970 of an HTTP date in any of its three forms; nil when it is none.
  static func seconds(ofDate text: String) -> Int64? {
    var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
    var clock: [Int]?
    for word in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }) {
      if word.contains(":") {
        clock = word.split(separator: ":").compactMap { Int($0) }
      } else if let index = months.firstIndex(of: String(word)) {
        month = index + 1
      } else if let number = Int(word), number >= 0 {
        // "Sun Nov  6 08:49:37 1994" has the year last, "06-Nov-94" two digits of it.
        if day == nil {
          day = number
        } else {
          year = number < 100 && word.utf8.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
        }
      }
    }
    guard let day, let month, let year, let clock, clock.count == 3, (1...31).contains(day),
      (1970...9999).contains(year),
      (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    // Days since 1970 in the proleptic Gregorian calendar, counted from a March so that the leap day comes last.
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + Int64(clock[0] * 3600 + clock[1] * 60 + clock[2])
  }
}
