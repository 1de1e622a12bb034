/// Reads a secret each time it is needed, so that one that was renewed is seen. Its value is in no description.
public struct SecretSource: Sendable {
  /// Where it comes from, to be shown.
  public let place: String
  private let get: @Sendable () throws(PublishFault) -> String

  public init(place: String, get: @escaping @Sendable () throws(PublishFault) -> String) {
    self.place = place
    self.get = get
  }

  /// The secret as it is now; its place and what is wrong when it cannot be had. May block, from any thread.
  public func read() throws(PublishFault) -> String {
    try get()
  }
}
