/// Reads what an S3 service says when it refuses, as far as it is needed: the word between `<Code>` and `</Code>`.
///
/// The rest of the body is foreign text that nobody is shown.
public struct S3Refusal: Sendable, Hashable {
  public let code: String

  /// Nil when the beginning of the body holds no code that could be one: 1 to 64 letters, digits and dots.
  public init?(body: [UInt8]) {
    let open = Array("<Code>".utf8)
    let head = body.prefix(4096)
    guard let start = Self.find(open, in: head) else { return nil }
    let rest = head[(start + open.count)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "<")), rest[end...].starts(with: "</Code>".utf8) else {
      return nil
    }
    let word = rest[..<end]
    guard (1...64).contains(word.count), word.allSatisfy(Self.isPart) else { return nil }
    code = String(decoding: word, as: UTF8.self)
  }

  public init(code: String) {
    self.code = code
  }

  /// Says what helps against a refusal.
  public enum Remedy: Sendable, Hashable {
    /// The same again, later.
    case wait
    /// The same with credentials that are read anew, once.
    case renewCredentials
    /// The clock of this machine is more than 15 minutes off; nothing sent with it will pass.
    case setClock
    /// Nothing.
    case none
  }

  public var remedy: Remedy {
    switch code {
    case "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "ConditionalRequestConflict",
      "OperationAborted", "Throttling", "ThrottlingException", "RequestLimitExceeded", "BandwidthLimitExceeded":
      .wait
    case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired": .renewCredentials
    case "RequestTimeTooSkewed": .setClock
    default: .none
    }
  }

  private static func find(_ word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: word) }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
