/// Signs an upload token of Qiniu here: for every key of a bucket, but to overwrite none.
public struct QiniuToken: TokenSource {
  private let access: SecretSource
  private let secret: SecretSource
  private let bucket: String
  private let lifetime: Int64

  /// - Parameter lifetime: seconds; a new one is signed when the server says that it has run out.
  public init(access: SecretSource, secret: SecretSource, bucket: String, lifetime: Int64 = 3600) throws(PublishFault) {
    guard !bucket.isEmpty, !bucket.utf8.contains(UInt8(ascii: ":")) else {
      throw PublishFault("the name of the bucket is none that Qiniu knows")
    }
    self.access = access
    self.secret = secret
    self.bucket = bucket
    self.lifetime = lifetime
  }

  public func request() -> HTTPRequest? { nil }

  public func token(_ answer: HTTPAnswer?, now: Int64) throws(PublishFault) -> UploadToken {
    let credentials = QiniuCredentials(accessKey: try access.read(), secretKey: try secret.read())
    guard !credentials.accessKey.isEmpty, !credentials.secretKey.isEmpty else {
      throw PublishFault("the keys are empty")
    }
    let policy = QiniuPutPolicy(bucket: bucket, deadline: now.addingReportingOverflow(lifetime).partialValue)
    return .text(credentials.uploadToken(for: policy))
  }
}
