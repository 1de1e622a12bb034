internal import IngestCore

/// Signs requests to S3 and its kin with AWS Signature Version 4, in the `Authorization` header.
///
/// Rules: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)" of Amazon's S3 API
/// reference. What differs for S3: each byte of the path is encoded once, the path is not tidied (`//` and `..` stay),
/// and the hash of the body is a header of its own.
public struct S3Signer: Sendable {
  public var credentials: S3Credentials
  /// `us-east-1` and the like; a server of one's own often takes any.
  public var region: String

  public init(_ credentials: S3Credentials, region: String) {
    self.credentials = credentials
    self.region = region
  }

  /// Says what the signature says about the body.
  public enum Payload: Sendable, Hashable {
    /// Its SHA-256 in lower-case hex; the server refuses any other body.
    case sha256(String)
    /// Nothing: the connection alone protects it.
    case unsigned
    /// There is none.
    public static let empty = Payload.sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")

    var headerValue: String {
      switch self {
      case .sha256(let hex): hex
      case .unsigned: "UNSIGNED-PAYLOAD"
      }
    }
  }

  /// The headers to send beside those given: date, hash of the body, session token and `Authorization`.
  ///
  /// `path` is the encoded one, exactly as it goes over the wire, beginning with `/`. Names and values of `query` are not
  /// encoded yet. `headers` are signed too; `host` as the `Host` header will say it, with its port unless that is the
  /// usual one.
  public func headers(
    method: String, host: String, path: String, query: [(name: String, value: String)] = [],
    signing headers: [HTTPHeader] = [], payload: Payload, at time: SigningTime
  ) -> [HTTPHeader] {
    var added = [
      HTTPHeader("x-amz-content-sha256", payload.headerValue), HTTPHeader("x-amz-date", time.basic),
    ]
    if let token = credentials.sessionToken { added.append(HTTPHeader("x-amz-security-token", token)) }
    let fields = canonical(headers + added + [HTTPHeader("host", host)])
    let names = fields.map(\.name).joined(separator: ";")
    let request = [
      method, path, Self.queryText(query), fields.map { $0.name + ":" + $0.value + "\n" }.joined(), names,
      payload.headerValue,
    ].joined(separator: "\n")
    let scope = "\(time.day)/\(region)/s3/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", time.basic, scope, hexText(MessageDigest.sha256.digest(of: Array(request.utf8))),
    ].joined(separator: "\n")
    let signature = hexText(MessageDigest.sha256.hmac(key: key(for: time), Array(text.utf8)))
    added.append(
      HTTPHeader(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"))
    return added
  }

  /// A query as it stands in the canonical request, and may stand in the address: encoded and sorted by its bytes.
  public static func queryText(_ query: [(name: String, value: String)]) -> String {
    // By name first: in "a=1" and "a-b=2" as whole words the sign between would decide.
    let encoded: [[String]] = query.map {
      [PercentEncoding.encode($0.name, keepingSlash: false), PercentEncoding.encode($0.value, keepingSlash: false)]
    }
    return encoded.sorted { $0.lexicographicallyPrecedes($1) }.map { $0.joined(separator: "=") }.joined(separator: "&")
  }

  /// The key of one day, region and service.
  private func key(for time: SigningTime) -> [UInt8] {
    var key = Array("AWS4".utf8) + Array(credentials.secretKey.utf8)
    for part in [time.day, region, "s3", "aws4_request"] {
      key = MessageDigest.sha256.hmac(key: key, Array(part.utf8))
    }
    return key
  }

  /// Names in lower case and sorted, values without blanks at their ends and with single ones inside.
  private func canonical(_ fields: [HTTPHeader]) -> [HTTPHeader] {
    fields.map { field in
      let words = field.value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      return HTTPHeader(
        field.name.lowercased(), words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    }.sorted { $0.name < $1.name }
  }
}
