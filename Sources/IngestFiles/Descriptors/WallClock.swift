internal import Glibc

/// Says what time it is. Only what tells of a run itself may ask: no time of day goes into a manifest.
public enum WallClock {
  /// The day in UTC: `2024-07-01`.
  public static var day: String {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    return String(CalendarTime(secondsSince1970: Int64(now.tv_sec)).text(nanoseconds: 0).prefix(10))
  }
}
