internal import IngestCore

/// Says that no token is needed, or that fixed credentials sign every request.
public struct NoToken: TokenSource {
  private let keys: (access: SecretSource, secret: SecretSource)?

  /// - Parameter keys: what signs every request, for targets that do.
  public init(keys: (access: SecretSource, secret: SecretSource)? = nil) {
    self.keys = keys
  }

  public func request() -> HTTPRequest? { nil }

  public func token(_ answer: HTTPAnswer?, now: Int64) throws(PublishFault) -> UploadToken {
    guard let keys else { return .none }
    return .keys(access: try keys.access.read(), secret: try keys.secret.read(), session: nil)
  }
}

/// Gets the token from a server that answers with JSON.
public struct ServedToken: TokenSource {
  private let url: String
  private let method: String
  private let headers: [HeaderTemplate]
  private let pointer: JSONPointer?

  /// - Parameter pointer: where in the answer the token stands (RFC 6901); nil: the answer is the token.
  public init(url: String, method: String = "POST", headers: [HeaderTemplate] = [], pointer: String?)
    throws(PublishFault)
  {
    self.url = url
    self.method = method
    self.headers = headers
    self.pointer = try pointer.map { text throws(PublishFault) in try JSONPointer(text) }
  }

  public func request() throws(PublishFault) -> HTTPRequest? {
    var request = HTTPRequest(method, url)
    for template in headers { request.headers.append(try template.header(.none)) }
    request.headers.append(HTTPHeader("Accept", "application/json"))
    if method != "GET" { request.body = HTTPBody([UInt8]()) }
    return request
  }

  public func token(_ answer: HTTPAnswer?, now: Int64) throws(PublishFault) -> UploadToken {
    guard let answer, !answer.isCut else { throw PublishFault("the answer is too long for a token") }
    let text: String
    if let pointer {
      guard let document = try? JSONReader().read(answer.body) else { throw PublishFault("the answer is no JSON") }
      guard let value = pointer.value(in: document)?.stringValue else {
        throw PublishFault("the answer has no text at \(pointer.text)")
      }
      text = value
    } else {
      let bytes = answer.body.drop { $0 <= 0x20 }
      text = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw PublishFault("what the answer holds is no token")
    }
    return .text(text)
  }
}
