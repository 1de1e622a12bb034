import IngestFiles

/// Says which run a line in a log is of: when it began and which process it is. Never in a manifest.
public struct RunBeginning: Sendable {
  /// Since 1970, UTC.
  public var seconds: Double
  public var processID: Int32

  public init(seconds: Double, processID: Int32) {
    self.seconds = seconds
    self.processID = processID
  }

  /// `2024-07-01T02:17:00Z`: RFC 3339 in UTC.
  public var time: String {
    WallClock.text(secondsSince1970: Int64(exactly: seconds.rounded(.down)) ?? 0)
  }
}
