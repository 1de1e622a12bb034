/// Holds what an owner of an S3 account signs with. No description of it shows the secrets.
public struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var accessKey: String
  public var secretKey: String
  /// Only for credentials that run out (AWS STS).
  public var sessionToken: String?

  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  public var description: String { "S3 credentials (not shown)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
