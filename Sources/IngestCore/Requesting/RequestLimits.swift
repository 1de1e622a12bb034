/// Bounds a run of requests: how many at once, how long each may take, how long a stop is waited for.
public struct RequestLimits: Hashable, Sendable {
  /// The most requests in flight; at least 1.
  public var atOnce: Int {
    didSet { Self.check(atOnce) }
  }
  /// How long one request may take from its start; on expiry it is cancelled and counts as failed. Nil: its own promise
  /// of exactly one ending is trusted.
  public var timeLimit: Duration?
  /// How long after a stop the endings of the requests in flight are waited for, in all.
  public var grace: Duration

  public init(atOnce: Int, timeLimit: Duration? = nil, grace: Duration = .seconds(3)) {
    Self.check(atOnce)
    self.atOnce = atOnce
    self.timeLimit = timeLimit
    self.grace = grace
  }

  private static func check(_ atOnce: Int) {
    precondition(atOnce >= 1, "at least one request must be allowed at once")
  }
}
