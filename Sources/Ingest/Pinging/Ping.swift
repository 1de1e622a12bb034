import HostProcess
import Publishing

/// Tells a watching service that a run begins or how it ended, so that somebody hears of runs that never came.
///
/// The form is that of healthchecks.io: `URL/start`, then `URL/<exit code>`.
public struct Ping: Sendable, Hashable {
  /// What is told.
  public enum Moment: Sendable, Hashable {
    case start
    /// 0 through 255; of a run that a signal ended what a shell shows.
    case end(code: Int32)
  }

  public var target: PingTarget
  public var moment: Moment
  /// A line for the service's log; sent with the end.
  public var note = ""

  public init(_ target: PingTarget, _ moment: Moment, note: String = "") {
    self.target = target
    self.moment = moment
    self.note = note
  }

  /// The address of the moment: a part behind the path, before the query.
  var address: String {
    let word =
      switch moment {
      case .start: "start"
      case .end(let code): "\(code & 0xFF)"
      }
    let pieces = target.address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = pieces.first.map(String.init) ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    return path + "/" + word + (pieces.count > 1 ? "?" + pieces[1] : "")
  }

  /// The file of authorities that other programs are told of as well (OpenSSL, the curl program). The library itself knows
  /// only the place that it was built with.
  private static var authorities: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let file = HostProcess.environment(name), !file.isEmpty { return String(decoding: file, as: UTF8.self) }
    }
    return nil
  }

  /// Sends the ping. Nil when it was taken, else why not; the address, which is a secret, is in no answer.
  ///
  /// Blocks the calling thread, for the time limit of the target at most.
  @available(*, noasync, message: "send blocks its thread; call it from a thread of your own")
  public func send() -> String? {
    var request = HTTPRequest(address, body: Array(note.utf8), timeLimit: target.timeLimit)
    request.allowsHTTP = target.allowsHTTP
    request.authorities = Self.authorities
    do {
      let status = try request.send().status
      return (200..<300).contains(status) ? nil : "the server answers \(status)"
    } catch {
      return error.reason
    }
  }
}
