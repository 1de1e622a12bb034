/// Knows where objects go and how a kind of server says what became of them; pure, without I/O.
///
/// The flow asks first where a target can tell (`question`), then sends (`upload`), and lets the target judge the
/// answers. When a send may have arrived without an answer the question is asked again before anything is sent again.
public protocol UploadTarget: Sendable {
  /// Where an object of that key will be found, without user, token or signature: it is told and remembered.
  func address(of key: String) -> String

  /// Where a request for an object of that key goes, whole: the query too, which may name the object. May hold secrets,
  /// so it is never told and never remembered; `identity(of:)` is.
  func requestAddress(of key: String) -> String

  /// Asks whether the object is there already; nil when this target cannot tell. No body is read of the answer.
  func question(_ object: UploadObject, _ moment: UploadMoment) throws(PublishFault) -> HTTPRequest?

  /// Judges the answer to the question.
  func judgeQuestion(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict

  /// Sends the object. `body` holds exactly the bytes of which `object` has the length and the checksum.
  func upload(_ object: UploadObject, _ body: HTTPBody, _ moment: UploadMoment) throws(PublishFault) -> HTTPRequest

  /// Judges the answer to the upload.
  func judgeUpload(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict

  /// A new digest of the kind that goes into `UploadObject.extraDigest`; nil when none is needed.
  func makeDigest() -> (any UploadDigesting)?
}

/// Describes one object that goes up.
public struct UploadObject: Sendable, Hashable {
  /// Its name at the target, not encoded.
  public var key: String
  /// Of the bytes that go up; lower-case hex.
  public var sha256: String
  public var bytes: Int64
  /// `image/jpeg` or another one.
  public var mediaType: String
  /// What only some targets ask for, told by whoever reads the bytes; see `UploadDigesting`.
  public var extraDigest: String?

  public init(
    key: String, sha256: String, bytes: Int64, mediaType: String = "application/octet-stream",
    extraDigest: String? = nil
  ) {
    self.key = key
    self.sha256 = sha256
    self.bytes = bytes
    self.mediaType = mediaType
    self.extraDigest = extraDigest
  }
}

/// What a request needs to know of the moment at which it is sent.
public struct UploadMoment: Sendable {
  public var token: UploadToken
  /// Seconds since 1970.
  public var now: Int64

  public init(token: UploadToken, now: Int64) {
    self.token = token
    self.now = now
  }
}

/// Says what an answer means for the object.
public enum UploadVerdict: Sendable, Hashable {
  /// It is stored now.
  case sent
  /// It was there already, the same bytes as far as the server tells.
  case present
  /// It is not there, or not these bytes, or the server does not tell: send it. To a question only.
  case absent
  /// Not now. The flow waits, no shorter than the answer's Retry-After, and tries again.
  case retry(reason: String)
  /// The token or the credentials are no longer good; the flow gets new ones, once, and tries again.
  case refreshToken(reason: String)
  /// Never, for this object. Words of the server are foreign text: they are cleaned before they are shown.
  case failed(reason: String)
}

extension UploadVerdict {
  /// What any HTTP server means by a status, for a request that was to store something.
  public static func plain(_ answer: HTTPAnswer) -> UploadVerdict {
    let reason = "the server answers \(answer.status)"
    return switch answer.status {
    case 200..<300: .sent
    case 300..<400: .failed(reason: "\(reason), a redirection that is not followed")
    case 401: .refreshToken(reason: reason)
    case 408, 425, 429, 500, 502, 503, 504: .retry(reason: reason)
    default: .failed(reason: reason)
    }
  }
}

/// A digest that a target wants besides SHA-256, made of the same bytes while they are read for their check.
public protocol UploadDigesting {
  /// Takes the next bytes, in their order.
  mutating func update(_ bytes: [UInt8])
  /// The digest in the form that goes into `UploadObject.extraDigest`; to be called once, after the last bytes.
  mutating func finish() -> String
}

extension UploadTarget {
  public func makeDigest() -> (any UploadDigesting)? { nil }

  /// By what the place of an object is known again: the SHA-256 of its whole request address, lower-case hex.
  public func identity(of key: String) -> String {
    hexText(MessageDigest.sha256.digest(of: Array(requestAddress(of: key).utf8)))
  }
}
