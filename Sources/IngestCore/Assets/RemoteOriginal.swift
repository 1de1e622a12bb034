/// Stands for an original that is not on this machine: where it can be fetched, and what its row calls it.
public struct RemoteOriginal: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Where it is, without user and fragment. Its query may hold secrets; no error repeats it.
  public let address: String
  /// `user:password`, as the address had them, `%XX` undone; nil where it had none. Secret.
  public let user: [UInt8]?
  /// Scheme, host (with a port that is not the usual one) and path; no user, no query.
  public let path: RelativePath
  /// What its content must be, lower-case hex; nil when anything is taken.
  public let expectedSHA256: String?
  /// Whether it goes in the open over a network: `http`, and not to this machine itself.
  public let isExposed: Bool

  public var description: String { path.display }
  public var debugDescription: String { path.display }
  public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

extension RemoteOriginal {
  /// Says what keeps an entry of a list from being an address.
  public enum Fault: Error, Sendable, Hashable {
    /// It holds a control character, or a blank that is not followed by `sha256:` and 64 hex digits.
    case characters
    /// It names no host.
    case host
  }

  /// Reads `ADDRESS`, or `ADDRESS sha256:HEX` with one blank between. No address holds a blank, so neither can be taken
  /// for the other.
  ///
  /// The scheme and the host are written in lower case. Bytes beyond ASCII are sent as `%XX`.
  public init(entry: [UInt8]) throws(Fault) {
    let blank = UInt8(ascii: " ")
    let end = entry.firstIndex(of: blank) ?? entry.endIndex
    let written = entry[..<end]
    guard let start = Self.afterScheme(written), written.allSatisfy({ $0 > blank && $0 != 0x7F }) else {
      throw .characters
    }
    if end == entry.endIndex {
      expectedSHA256 = nil
    } else {
      guard let sum = Self.checksum(entry[(end + 1)...]) else { throw .characters }
      expectedSHA256 = sum
    }
    let rest = written[start...].prefix { $0 != UInt8(ascii: "#") }
    let authorityEnd = rest.firstIndex { "/?\\".utf8.contains($0) } ?? rest.endIndex
    var authority = rest[..<authorityEnd]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      user = Self.decoded(authority[..<at])
      authority = authority[(at + 1)...]
    } else {
      user = nil
    }
    let scheme = start == written.startIndex + 8 ? "https" : "http"
    guard let host = Self.host(authority, scheme: scheme) else { throw .host }
    let tail = rest[authorityEnd...]
    var file = Array(tail.prefix { $0 != UInt8(ascii: "?") })
    let query = tail.dropFirst(file.count)
    if file.first != UInt8(ascii: "/") { file.insert(UInt8(ascii: "/"), at: 0) }
    let origin = "\(scheme)://\(host)"
    path = RelativePath(Array(origin.utf8) + file)
    address = origin + Self.sendable(file) + Self.sendable(Array(query))
    isExposed = scheme == "http" && !Self.isThisMachine(host)
  }

  /// Whether an entry of a list means an address: it begins with `http://` or `https://`, in any case.
  public static func isAddress(_ entry: some Collection<UInt8>) -> Bool {
    afterScheme(Array(entry.prefix(8))[...]) != nil
  }

  /// Where the authority begins.
  private static func afterScheme(_ entry: ArraySlice<UInt8>) -> Int? {
    let head = entry.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    for scheme in ["https://", "http://"] where head.starts(with: scheme.utf8) {
      return entry.startIndex + scheme.utf8.count
    }
    return nil
  }

  private static func checksum(_ word: ArraySlice<UInt8>) -> String? {
    guard word.starts(with: "sha256:".utf8), word.count == 71 else { return nil }
    let hex = word.dropFirst(7).map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
    guard hex.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
    return String(decoding: hex, as: UTF8.self)
  }

  /// Host and port in lower case, without the port that the scheme has anyway; nil when it cannot be one.
  private static func host(_ authority: ArraySlice<UInt8>, scheme: String) -> String? {
    let allowed = "-._~:[]%".utf8
    guard
      authority.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
          || allowed.contains(byte)
      })
    else { return nil }
    var text = String(decoding: authority, as: UTF8.self).lowercased()
    if text.hasSuffix(":") { text.removeLast() }
    let usual = scheme == "https" ? ":443" : ":80"
    if text.hasSuffix(usual) { text.removeLast(usual.utf8.count) }
    let name = hostName(text)
    return name.isEmpty || name.contains("\u{FFFD}") ? nil : text
  }

  /// Without the port.
  private static func hostName(_ host: String) -> Substring {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end] }
    return host.prefix { $0 != ":" }
  }

  private static func isThisMachine(_ host: String) -> Bool {
    let name = hostName(host)
    if name == "localhost" || name == "[::1]" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func sendable(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// With `%XX` undone; a `%` that is not followed by two hex digits stays.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = hexValue(rest.prefix(2)) {
        output.append(value)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  private static func hexValue(_ digits: ArraySlice<UInt8>) -> UInt8? {
    var value: UInt8 = 0
    for digit in digits {
      let number: UInt8
      switch digit {
      case 0x30...0x39: number = digit - 0x30
      case 0x41...0x46: number = digit - 0x41 + 10
      case 0x61...0x66: number = digit - 0x61 + 10
      default: return nil
      }
      value = value << 4 | number
    }
    return value
  }
}
