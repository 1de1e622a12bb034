internal import CPhotoCodecs

extension CodecError {
  /// Takes over the status of a C reader; nil when all is well.
  init?(_ status: PCStatus, _ fault: UnsafePointer<pc_fault>) {
    let reason = unsafe Self.text(fault.pointee.reason)
    let detail = unsafe Self.text(fault.pointee.detail)
    let code: Code
    let standard: String
    switch status {
    case .OK: return nil
    case .truncated: (code, standard) = (.truncated, "the file ends before the image does")
    case .corrupt: (code, standard) = (.corrupt, "the image data is damaged")
    case .missingEndMarker: (code, standard) = (.missingEndMarker, "the image is whole, but its end marker is missing")
    case .empty: (code, standard) = (.empty, "the file is empty")
    case .notAnImage: (code, standard) = (.notAnImage, "the first bytes are those of no image format")
    case .unsupported: (code, standard) = (.unsupported, "this kind of image is not decoded")
    case .tooLarge: (code, standard) = (.tooLarge, "the image is larger than the limit allows")
    case .cancelled: (code, standard) = (.cancelled, "the load was given up")
    }
    let words = reason.isEmpty ? standard : reason
    self.init(code, detail.isEmpty ? words : "\(words): \(detail)")
  }

  /// The text of a C array of characters that ends in NUL. A library's words may hold bytes of the file.
  private static func text<Characters: BitwiseCopyable>(_ characters: Characters) -> String {
    let bytes = unsafe withUnsafeBytes(of: characters) { unsafe Array($0.prefix { $0 != 0 }) }
    let printable = bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: printable, as: UTF8.self)
  }
}
