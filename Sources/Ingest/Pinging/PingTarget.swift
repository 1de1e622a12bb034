/// Names the service that watches runs, and how far it is trusted.
public struct PingTarget: Sendable, Hashable {
  /// `https://host/secret`, as the service gives it out.
  public var address: String
  /// Whether `http://` will do, for a server of one's own.
  public var allowsHTTP = false
  /// For one ping.
  public var timeLimit: Duration = .seconds(5)

  public init(address: String) {
    self.address = address
  }
}
