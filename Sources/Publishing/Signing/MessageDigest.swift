internal import CCrypto

/// Names the hash functions that upload services ask for, and computes them and their HMAC with libcrypto.
enum MessageDigest: Sendable {
  /// Qiniu's tokens and etags. Not for anything that must withstand an attacker who can choose content.
  case sha1
  case sha256

  /// How many bytes a digest has.
  var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    }
  }

  private var name: String {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    }
  }

  /// The digest of some bytes (FIPS 180-4).
  func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    var length = 0
    let status = unsafe name.withCString { name in
      unsafe EVP_Q_digest(nil, name, nil, bytes, bytes.count, &digest, &length)
    }
    precondition(status == 1 && length == byteCount, "libcrypto offers no \(name)")
    return digest
  }

  /// The HMAC of a message (RFC 2104).
  func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: byteCount)
    var length = 0
    let room = code.count
    // An empty array has no address, and no address would mean no key: one byte stands for its place.
    let place = key.isEmpty ? [0] : key
    let result = unsafe name.withCString { name in
      unsafe EVP_Q_mac(
        nil, "HMAC", nil, name, nil, place, key.count, message.isEmpty ? [0] : message, message.count, &code, room,
        &length)
    }
    precondition(unsafe result != nil && length == byteCount, "libcrypto offers no HMAC with \(name)")
    return code
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
