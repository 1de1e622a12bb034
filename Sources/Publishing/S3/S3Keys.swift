/// Gets the credentials that sign each request to S3. They are read anew when a server says that they have run out.
public struct S3Keys: TokenSource {
  private let access: SecretSource
  private let secret: SecretSource
  private let session: SecretSource?

  /// - Parameter session: the token of credentials that run out; nil, or one that reads as nothing: there is none.
  public init(access: SecretSource, secret: SecretSource, session: SecretSource? = nil) {
    self.access = access
    self.secret = secret
    self.session = session
  }

  public func request() -> HTTPRequest? { nil }

  public func token(_ answer: HTTPAnswer?, now: Int64) throws(PublishFault) -> UploadToken {
    let session = try session?.read() ?? ""
    let (access, secret) = (try access.read(), try secret.read())
    for text in [access, secret, session] where text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      throw PublishFault("the credentials hold a character that no credentials have")
    }
    guard !access.isEmpty, !secret.isEmpty else { throw PublishFault("the credentials are empty") }
    return .keys(access: access, secret: secret, session: session.isEmpty ? nil : session)
  }
}
