import Ingest
import IngestCore

/// Reads the `ping` of a configuration file: `{"url": "https://hc-ping.com/…", "allow-http": false, "timeout": 5}`.
enum PingSettings {
  private static let keys = ["url", "allow-http", "timeout"]

  /// - Parameter refused: makes the error for a key, `ping` or one inside it, and what is wrong with it.
  static func read(
    _ value: JSONValue, refused: (_ key: String, _ problem: String) -> UsageError
  ) throws(UsageError) -> PingTarget {
    guard let members = value.objectValue else { throw refused("ping", "an object is wanted, not \(value.kind)") }
    for member in members where !keys.contains(member.key) {
      let near = Suggestion.nearest(to: Array(member.key.utf8), among: keys)
      throw refused("ping", "no key \(member.key)" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    guard let url = value["url"] else { throw refused("ping", "the key url is missing") }
    guard let address = url.stringValue else { throw refused("url", "a string is wanted, not \(url.kind)") }
    var target = PingTarget(address: address)
    if let isAllowed = value["allow-http"] {
      guard let flag = isAllowed.boolValue else {
        throw refused("allow-http", "true or false is wanted, not \(isAllowed.kind)")
      }
      target.allowsHTTP = flag
    }
    if let timeout = value["timeout"] {
      guard let seconds = timeout.doubleValue else {
        throw refused("timeout", "a number is wanted, not \(timeout.kind)")
      }
      guard seconds > 0, seconds <= 60 else { throw refused("timeout", "out of range: more than 0 through 60 seconds") }
      target.timeLimit = .milliseconds(max(1, Int(seconds * 1000)))
    }
    // The address is a secret, so no message repeats it.
    if let problem = problem(with: target) { throw refused("url", problem) }
    return target
  }

  private static func problem(with target: PingTarget) -> String? {
    let bytes = Array(target.address.utf8)
    if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return "an address holds no blanks and no control characters"
    }
    if bytes.contains(UInt8(ascii: "#")) { return "an address that is asked for has no part behind #" }
    let lowered = String(decoding: bytes.map(ASCII.lowercased), as: UTF8.self)
    let scheme = ["https://", "http://"].first { lowered.hasPrefix($0) }
    guard let scheme, bytes.count > scheme.utf8.count, bytes[scheme.utf8.count] != UInt8(ascii: "/") else {
      return "an address like https://host/path is wanted"
    }
    if scheme == "http://", !target.allowsHTTP {
      return "everybody on the way can read http; write \"allow-http\": true beside it if that is meant"
    }
    return nil
  }
}
