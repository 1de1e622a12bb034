/// Says where an object of an S3 service lies: its host, and its path as it goes over the wire.
public struct S3Place: Sendable, Hashable {
  /// Says where the name of the bucket stands.
  public enum Style: Sendable, Hashable {
    /// `https://host/bucket/key`.
    case path
    /// `https://bucket.host/key`.
    case virtualHost
  }

  /// As the `Host` header says it: with the port unless it is the usual one of the scheme.
  public let host: String
  /// Each byte of the key encoded once; never tidied.
  public let path: String
  public let address: String

  /// Places a key; nil when `endpoint` is no `http(s)://host[:port][/prefix]`, or the bucket's name cannot be one.
  ///
  /// Buckets: 3 to 63 letters, digits, `-`, `.` and `_`. A name with a capital or `_` cannot be part of a host.
  public init?(endpoint: String, bucket: String, key: String, style: Style) {
    guard let (scheme, rest) = Self.split(endpoint), let key = Self.checked(key), Self.isBucket(bucket) else {
      return nil
    }
    let authorityEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    var authority = String(rest[..<authorityEnd]).lowercased()
    let prefix = rest[authorityEnd...].split(separator: "/", omittingEmptySubsequences: true)
      .map { "/" + PercentEncoding.encode(String($0), keepingSlash: false) }.joined()
    let isOrdinary = authority.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !Self.marks.contains($0)
    }
    guard !authority.isEmpty, isOrdinary else { return nil }
    let usual = scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(usual) { authority.removeLast(usual.utf8.count) }
    let encoded = PercentEncoding.encode(key, keepingSlash: true)
    switch style {
    case .path:
      host = authority
      path = prefix + "/" + bucket + "/" + encoded
    case .virtualHost:
      guard Self.isHostLabel(bucket) else { return nil }
      host = bucket + "." + authority
      path = prefix + "/" + encoded
    }
    address = scheme + "://" + host + path
  }

  /// What an authority without user and password cannot hold.
  private static let marks = Array("@?#\\/%\"<>".utf8)

  private static func split(_ endpoint: String) -> (scheme: String, rest: Substring)? {
    for scheme in ["https", "http"] where endpoint.lowercased().hasPrefix(scheme + "://") {
      return (scheme, endpoint.dropFirst(scheme.utf8.count + 3))
    }
    return nil
  }

  /// S3 takes keys of 1 to 1024 bytes.
  private static func checked(_ key: String) -> String? {
    (1...1024).contains(key.utf8.count) ? key : nil
  }

  private static func isBucket(_ name: String) -> Bool {
    (3...63).contains(name.utf8.count) && !name.utf8.contains(UInt8(ascii: "~"))
      && PercentEncoding.encode(name, keepingSlash: false) == name && name != "..." && !name.hasPrefix(".")
  }

  private static func isHostLabel(_ name: String) -> Bool {
    !name.utf8.contains { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") } && !name.hasPrefix("-")
      && !name.hasSuffix("-") && !name.hasSuffix(".")
  }
}
