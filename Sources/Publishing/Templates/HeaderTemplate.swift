/// Makes a header such as `Authorization: Bearer {token}`, with secrets put in at the moment it is sent.
public struct HeaderTemplate: Sendable {
  /// The name of the header, as it was written.
  public let name: String
  private let value: TextTemplate
  private let secrets: [String: SecretSource]

  /// - Parameters:
  ///   - line: name and value with a colon between. `{token}` is the token; every other name is one of `secrets`.
  ///   - secrets: by their names in braces.
  public init(_ line: String, secrets: [String: SecretSource]) throws(PublishFault) {
    guard let colon = line.firstIndex(of: ":") else { throw PublishFault("a header is a name, a colon and a value") }
    name = String(line[..<colon])
    let blanks = line[line.index(after: colon)...]
    value = try TextTemplate(
      String(blanks.drop { $0 == " " || $0 == "\t" }), names: Set(secrets.keys).union(["token"]))
    self.secrets = secrets
    if let fault = HTTPRequest("GET", "https://x", headers: [HTTPHeader(name, "x")]).fault { throw PublishFault(fault) }
  }

  /// Whether `{token}` stands in its value.
  public var usesToken: Bool { value.names.contains("token") }

  /// The header with everything put in: secret. Throws, without its value, when a secret cannot be read; reading may block.
  public func header(_ token: UploadToken) throws(PublishFault) -> HTTPHeader {
    let secrets = secrets
    let text = try value.text { name throws(PublishFault) -> String in
      if name == "token" { return token.text }
      return try secrets[name]?.read() ?? ""
    }
    return HTTPHeader(name, text)
  }
}
