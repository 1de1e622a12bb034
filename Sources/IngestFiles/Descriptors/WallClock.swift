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

  /// The day in UTC: `2024-07-01`.
  public static var day: String {
    String(CalendarTime(secondsSince1970: now.components.seconds).text(nanoseconds: 0).prefix(10))
  }
}

extension FileIdentity {
  /// When the content last changed, since 1970, UTC.
  public var modified: Duration { .seconds(modifiedSeconds) + .nanoseconds(Int64(modifiedNanoseconds)) }
}
