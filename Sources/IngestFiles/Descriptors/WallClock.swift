internal import Glibc

/// Says what time it is. Only what tells of a run itself, or waits for a file, may ask: no time of day goes into a
/// manifest.
public enum WallClock {
  /// Since 1970, UTC.
  public static var now: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// A time in UTC as RFC 3339 has it, with seconds: `2024-07-01T02:17:00Z`.
  public static func text(secondsSince1970 seconds: Int64) -> String {
    String(CalendarTime(secondsSince1970: seconds).text(nanoseconds: 0).prefix { $0 != "." }) + "Z"
  }

  /// The day in UTC: `2024-07-01`.
  public static var day: String {
    String(CalendarTime(secondsSince1970: now.components.seconds).text(nanoseconds: 0).prefix(10))
  }
}

extension FileIdentity {
  /// When the content last changed, since 1970, UTC.
  public var modified: Duration { .seconds(modifiedSeconds) + .nanoseconds(Int64(modifiedNanoseconds)) }
}
