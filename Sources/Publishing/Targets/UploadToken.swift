/// Holds what lets somebody upload. A secret: it describes itself without its value.
public enum UploadToken: Sendable, Hashable {
  /// Nothing is needed.
  case none
  /// As a token server gave it, or as it was signed here.
  case text(String)
  /// For those who sign each request.
  case keys(access: String, secret: String, session: String?)

  /// The text, for `{token}`; empty when there is none.
  public var text: String {
    if case .text(let text) = self { text } else { "" }
  }
}

extension UploadToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a token" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gets the token for all uploads; pure, without I/O of its own but for reading secrets where it was told to.
public protocol TokenSource: Sendable {
  /// What to ask a server; nil when the token is made here.
  func request() throws(PublishFault) -> HTTPRequest?

  /// The token in that answer, which is a success, or the one made here.
  ///
  /// - Parameter now: Seconds since 1970.
  func token(_ answer: HTTPAnswer?, now: Int64) throws(PublishFault) -> UploadToken
}

/// Says why publishing, or a part of it, did not go on. Its words hold no secret; they may hold foreign text.
public struct PublishFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }

  public var description: String { reason }
}
