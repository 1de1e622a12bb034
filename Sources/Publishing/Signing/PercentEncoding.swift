/// Writes bytes so that they can stand in an address: every byte but the unreserved ones becomes `%XX` (RFC 3986, 2.3).
enum PercentEncoding {
  /// `keepingSlashes` leaves `/` as it is: a path of several parts.
  static func encode(_ bytes: some Sequence<UInt8>, keepingSlashes: Bool = false) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
        text.append(byte)
      } else {
        text.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
