internal import IngestCore

/// Writes bytes in the base64 that can stand in addresses (RFC 4648, section 5), padded with `=` as Qiniu wants it.
enum URLSafeBase64 {
  static func encode(_ bytes: [UInt8]) -> String {
    let text = Base64.encode(bytes).utf8.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
