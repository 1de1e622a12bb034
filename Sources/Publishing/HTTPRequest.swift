internal import CPublishing

/// Asks an HTTP server for something, once.
///
/// The library that does it (libcurl) is loaded with the first request of the process. Redirections are not followed:
/// an address is where its owner wants it.
public struct HTTPRequest: Sendable {
  /// `https://...`, or `http://...` where that is allowed. May hold secrets; no error repeats it.
  public var address: String
  /// Sent by POST; nil for a GET.
  public var body: [UInt8]?
  /// Whether the address may be one that everybody on the way can read.
  public var allowsHTTP = false
  /// A file with the certificates of authorities that are trusted (PEM); nil for those of the system.
  public var authorities: String?
  /// For everything together, the connection included.
  public var timeLimit: Duration = .seconds(10)

  public init(_ address: String, body: [UInt8]? = nil) {
    self.address = address
    self.body = body
  }

  /// Sends the request and returns the status with which the server answers, 100 through 599.
  ///
  /// Blocks the calling thread, for the time limit at most. Several threads may send at once.
  @available(*, noasync, message: "send blocks its thread; call it from a thread of your own")
  public func send() throws(HTTPFailure) -> Int {
    guard !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw HTTPFailure(reason: "the address holds a blank or a control character")
    }
    let milliseconds = HTTPRequest.milliseconds(timeLimit)
    var answer = CPAnswer()
    let status = unsafe address.withCString { address in
      unsafe HTTPRequest.agent.withCString { agent in
        unsafe (body ?? []).withUnsafeBufferPointer { bytes in
          // An empty body has no place in memory, and no place would mean no body.
          unsafe withUnsafePointer(to: UInt8(0)) { nothing in
            unsafe HTTPRequest.withOptionalCString(authorities) { authorities in
              var request = unsafe CPRequest(
                address: address, body: body == nil ? nil : bytes.baseAddress ?? nothing, body_length: bytes.count,
                agent: agent, authorities: authorities, allows_http: allowsHTTP, connect_milliseconds: milliseconds,
                milliseconds: milliseconds)
              return unsafe cp_http_send(&request, &answer)
            }
          }
        }
      }
    }
    switch status {
    case .answered: return Int(answer.code)
    case .noLibrary, .failed: throw HTTPFailure(reason: HTTPRequest.text(of: answer))
    }
  }

  private static let agent = "photo-ingest"

  private static func withOptionalCString<Value>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Value
  ) -> Value {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }

  /// At least 1, since 0 means no limit there.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return max(1, Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000))
  }

  private static func text(of answer: CPAnswer) -> String {
    unsafe withUnsafeBytes(of: answer.reason) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Says why a request got no answer, in the words of the library below. Foreign text: clean it before it is shown.
public struct HTTPFailure: Error, Sendable, Hashable {
  public let reason: String

  public init(reason: String) {
    self.reason = reason
  }
}
