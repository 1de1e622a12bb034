/// Holds what a server answered.
public struct HTTPAnswer: Sendable, Hashable {
  /// 100 through 599.
  public var status: Int
  /// In the order in which they came. Foreign text.
  public var headers: [HTTPHeader]
  /// The beginning of the body, up to the limit of the request; empty when a sink took it.
  public var body: [UInt8]
  /// Whether the body had more than that.
  public var isCut: Bool
  /// Where the answer came from, after the redirections that were followed.
  public var address: String

  public init(
    status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], isCut: Bool = false, address: String = ""
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isCut = isCut
    self.address = address
  }

  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The value of the first header of that name, whatever the case of its letters.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Says why a request got no answer, in the words of the library below. Foreign text: clean it before it is shown.
public struct HTTPFailure: Error, Sendable, Hashable {
  /// What kind of end it was.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// It is no request: address, scheme, headers.
    case refused
    /// libcurl is not there.
    case noLibrary
    /// No such host, no connection: the server has seen nothing of the request.
    case notReached
    /// The server's certificate is not to be trusted.
    case untrusted
    /// Out of time. The server may have done what was asked.
    case timedOut
    /// The connection broke. The server may have done what was asked.
    case broken
    /// The sink wanted no more.
    case stopped
    /// The file that was sent changed meanwhile; the server did not get all of it.
    case contentChanged
  }

  public let kind: Kind
  public let reason: String

  public init(_ kind: Kind = .refused, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Whether the same request may do better a little later.
  public var isPassing: Bool {
    switch kind {
    case .notReached, .timedOut, .broken, .contentChanged: true
    case .refused, .noLibrary, .untrusted, .stopped: false
    }
  }
}

extension HTTPFailure: CustomStringConvertible {
  public var description: String { reason }
}
