/// Identifies one request of one loader. Events carry it, because a callback may run before the request call returned.
public struct ImageRequestID: Hashable, Sendable {
  public let value: UInt64

  public init(_ value: UInt64) {
    self.value = value
  }
}

/// Chooses which events a request wants; the names and meanings are PhotoKit's.
public enum DeliveryMode: Sendable, Hashable {
  /// A degraded stand-in first if one is at hand for free, then the original.
  case opportunistic
  /// The original only.
  case highQualityFormat
  /// One event, degraded and terminal: the quickest stand-in that can be had, at any price.
  case fastFormat
}

/// Reports how far the bytes of a request have come, from 0 through 1. Runs on a thread of the loader.
public typealias ProgressHandler = @Sendable (_ fraction: Double) -> Void

/// Holds what a caller may ask of a load.
public struct ImageRequestOptions: Sendable {
  public var deliveryMode: DeliveryMode
  /// Whether a remote original may be fetched.
  public var isNetworkAccessAllowed: Bool
  public var progressHandler: ProgressHandler?

  public init(
    deliveryMode: DeliveryMode = .opportunistic, isNetworkAccessAllowed: Bool = false,
    progressHandler: ProgressHandler? = nil
  ) {
    self.deliveryMode = deliveryMode
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    self.progressHandler = progressHandler
  }
}
