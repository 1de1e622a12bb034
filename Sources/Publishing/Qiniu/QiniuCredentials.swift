internal import IngestCore

/// Holds the two keys of a Qiniu account and signs upload tokens with them. No description of it shows the keys.
public struct QiniuCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var accessKey: String
  public var secretKey: String

  public init(accessKey: String, secretKey: String) {
    self.accessKey = accessKey
    self.secretKey = secretKey
  }

  /// The token for an upload as the policy allows it: `AK:enc(HMAC-SHA1(SK, E)):E` with `E = enc(policy)`.
  public func uploadToken(for policy: QiniuPutPolicy) -> String {
    let encoded = URLSafeBase64.encode(policy.json)
    let signature = MessageDigest.sha1.hmac(key: Array(secretKey.utf8), Array(encoded.utf8))
    return accessKey + ":" + URLSafeBase64.encode(signature) + ":" + encoded
  }

  public var description: String { "Qiniu credentials (not shown)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
