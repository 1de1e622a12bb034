/// Reads the Exif block that older programs put into a PNG text chunk: a name, a byte count, then hexadecimal digits.
///
/// The form is ImageMagick's: `\nexif\n      84\n457869660000...\n`.
enum RawProfile {
  /// The TIFF bytes of the block; nil when the text is not of that form.
  ///
  /// - Parameter isAPP1: whether it is a whole APP1 segment, which may as well hold XMP: then only Exif's signature
  ///   makes it an Exif block.
  static func exif(in text: [UInt8], isAPP1: Bool = false) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    guard lines.count >= 3 else { return nil }
    let stated = String(decoding: lines[1], as: UTF8.self).filter { $0 != " " }
    guard let count = Int(stated), count > 0, count <= 1 << 20 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for line in lines[2...] {
      for character in line {
        guard let digit = value(character) else { continue }
        if let first = high {
          bytes.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      }
    }
    guard bytes.count >= count else { return nil }
    let block = Array(bytes.prefix(count))
    if isAPP1, !block.starts(with: signature) { return nil }
    let tiff = withoutSignature(block)
    return tiff.isEmpty ? nil : tiff
  }

  /// Drops the six bytes that belong before the block in a JPEG only; some programs write them into a PNG as well.
  static func withoutSignature(_ block: [UInt8]) -> [UInt8] {
    block.starts(with: signature) ? Array(block.dropFirst(signature.count)) : block
  }

  private static let signature = Array("Exif\0\0".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
