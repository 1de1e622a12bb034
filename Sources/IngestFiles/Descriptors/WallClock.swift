internal import Glibc

/// Tells the time by which files are dated.
public enum WallClock {
  /// Since 1970, UTC.
  public static var now: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension FileIdentity {
  /// When the content last changed, since 1970, UTC.
  public var modified: Duration { .seconds(modifiedSeconds) + .nanoseconds(Int64(modifiedNanoseconds)) }
}
