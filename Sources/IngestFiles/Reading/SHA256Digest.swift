internal import CCrypto
internal import Synchronization

/// Computes the SHA-256 of bytes that come piece by piece (FIPS 180-4, by libcrypto).
///
/// A value with one owner, which may hand it to another thread. The working memory behind it comes from a pool and goes
/// back there, and the algorithm is looked up once for the process: both lookups cost more than a small photo.
public struct SHA256Digest: ~Copyable, Sendable {
  private let context: DigestContext

  public init() {
    context = DigestContext.take()
  }

  deinit {
    DigestContext.giveBack(context)
  }

  public mutating func update(_ bytes: borrowing RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
  }

  public mutating func update(_ bytes: some Sequence<UInt8> & Sendable) {
    let array = ContiguousArray(bytes)
    unsafe array.withUnsafeBytes { unsafe context.update($0) }
  }

  /// The same without a copy.
  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
  }

  /// The 32 bytes of the digest so far; more may follow.
  public func snapshot() -> [UInt8] {
    let copy = DigestContext.take()
    defer { DigestContext.giveBack(copy) }
    copy.become(context)
    return copy.finish()
  }

  /// The digest of everything so far in lower-case hex; more may follow.
  public func snapshotHex() -> String { hexText(snapshot()) }

  /// The 32 bytes of the digest. The value then starts anew.
  public mutating func finish() -> [UInt8] {
    let digest = context.finish()
    context.restart()
    return digest
  }

  /// The digest in lower-case hex. The value then starts anew.
  public mutating func finishHex() -> String { hexText(finish()) }

  /// The digest of some bytes at hand, in lower-case hex.
  public static func hex(of bytes: [UInt8]) -> String {
    var digest = SHA256Digest()
    digest.update(bytes)
    return digest.finishHex()
  }
}

/// Lower-case hex, two digits a byte.
func hexText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
