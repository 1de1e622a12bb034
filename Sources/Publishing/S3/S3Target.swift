/// Puts objects into a bucket of S3 or of a service that speaks like it, each request signed.
///
/// The SHA-256 of an object is known before it is sent, so it is always what is signed: a server that checks signatures
/// refuses every other body. The same figure is kept beside the object as `x-amz-meta-sha256`, by which it is known
/// again. ETags prove nothing and are not looked at.
public struct S3Target: UploadTarget {
  private let endpoint: String
  private let bucket: String
  private let region: String
  private let style: S3Place.Style
  private let headers: [HeaderTemplate]
  private let isContentNamed: Bool

  static let checksumHeader = "x-amz-meta-sha256"

  /// - Parameters:
  ///   - endpoint: `https://host`, without the bucket; nil: Amazon's for the region.
  ///   - region: nil: `us-east-1`, which most servers of one's own take.
  ///   - style: nil: the bucket in the host for Amazon, in the path for others.
  ///   - headers: sent and signed with each upload, such as `x-amz-storage-class`.
  ///   - isContentNamed: whether a key holds the checksum of its object.
  public init(
    endpoint: String?, bucket: String, region: String?, style: S3Place.Style? = nil, headers: [HeaderTemplate] = [],
    isContentNamed: Bool
  ) throws(PublishFault) {
    let region = region ?? "us-east-1"
    guard !region.isEmpty, region.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
      throw PublishFault("the region is no word")
    }
    self.region = region
    self.endpoint = endpoint ?? "https://s3.\(region).amazonaws.com"
    self.bucket = bucket
    self.headers = headers
    self.isContentNamed = isContentNamed
    let host = S3Place(endpoint: self.endpoint, bucket: "any-bucket", key: "k", style: .path)?.host ?? ""
    let isAmazon = host.hasSuffix(".amazonaws.com") || host.hasSuffix(".amazonaws.com.cn")
    // A name with a dot is not covered by the certificate of the host below which it would stand.
    self.style = style ?? (isAmazon && !bucket.contains(".") ? .virtualHost : .path)
    guard S3Place(endpoint: self.endpoint, bucket: bucket, key: "k", style: self.style) != nil else {
      throw PublishFault("the address or the name of the bucket is none that S3 knows")
    }
  }

  public func address(of key: String) -> String {
    S3Place(endpoint: endpoint, bucket: bucket, key: key, style: style)?.address ?? ""
  }

  public func requestAddress(of key: String) -> String { address(of: key) }

  public func question(_ object: UploadObject, _ moment: UploadMoment) throws(PublishFault) -> HTTPRequest? {
    try request("HEAD", object, moment, payload: .empty)
  }

  public func judgeQuestion(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict {
    switch answer.status {
    case 200:
      guard answer.header("Content-Length").flatMap({ Int64($0) }) == object.bytes else { return .absent }
      if let known = answer.header(Self.checksumHeader) { return known == object.sha256 ? .present : .absent }
      return isContentNamed ? .present : .absent
    case 408, 429, 500, 502, 503, 504: return .retry(reason: "the server answers \(answer.status)")
    // Who may not list a bucket hears 403 of what is not there. An answer to HEAD has no words; that to the upload has.
    default: return .absent
    }
  }

  public func upload(
    _ object: UploadObject, _ body: HTTPBody, _ moment: UploadMoment
  ) throws(PublishFault) -> HTTPRequest {
    var fields = [HTTPHeader("Content-Type", object.mediaType), HTTPHeader(Self.checksumHeader, object.sha256)]
    for template in headers { fields.append(try template.header(moment.token)) }
    var request = try request("PUT", object, moment, signing: fields, payload: .sha256(object.sha256))
    request.body = body
    return request
  }

  public func judgeUpload(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict {
    if (200..<300).contains(answer.status) { return .sent }
    guard let refusal = S3Refusal(body: answer.body) else { return Self.plain(answer) }
    let reason = "the server answers \(answer.status) \(refusal.code)"
    switch refusal.remedy {
    case .wait: return .retry(reason: reason)
    case .renewCredentials: return .refreshToken(reason: reason)
    case .setClock: return .failed(reason: reason + ": the clock of this machine is more than 15 minutes off")
    case .none: break
    }
    if let region = answer.header("x-amz-bucket-region"), region != self.region {
      return .failed(reason: reason + ": the bucket lies in another region")
    }
    return answer.status >= 500 && answer.status != 501 ? .retry(reason: reason) : .failed(reason: reason)
  }

  /// Without a code that could be read.
  private static func plain(_ answer: HTTPAnswer) -> UploadVerdict {
    // A 401 that S3 has not written comes from something between; other credentials do not help there.
    answer.status == 401 ? .failed(reason: "the server answers 401") : .plain(answer)
  }

  private func request(
    _ method: String, _ object: UploadObject, _ moment: UploadMoment, signing fields: [HTTPHeader] = [],
    payload: S3Signer.Payload
  ) throws(PublishFault) -> HTTPRequest {
    guard case .keys(let access, let secret, let session) = moment.token else {
      throw PublishFault("no credentials to sign with")
    }
    guard let place = S3Place(endpoint: endpoint, bucket: bucket, key: object.key, style: style) else {
      throw PublishFault("a key of S3 has 1 to 1024 bytes")
    }
    let signer = S3Signer(
      S3Credentials(accessKey: access, secretKey: secret, sessionToken: session), region: region)
    var request = HTTPRequest(method, place.address, headers: fields)
    request.headers += signer.headers(
      method: method, host: place.host, path: place.path, signing: fields, payload: payload,
      at: SigningTime(seconds: moment.now))
    return request
  }
}
