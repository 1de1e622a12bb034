/// Names a file below a source folder by its exact bytes, parts joined by `/`.
///
/// Linux names are bytes, not text: two names that Swift's `String` calls equal (NFC and NFD) are two files, and a
/// name need not be UTF-8 at all. Everything is keyed by `bytes`; `display` is for people.
public struct RelativePath: Hashable, Sendable {
  /// The exact bytes, never empty, without a leading `/`.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public init(_ text: String) {
    self.bytes = Array(text.utf8)
  }

  /// The readable form: bytes that are not UTF-8 are shown as U+FFFD.
  public var display: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Whether `display` holds exactly these bytes.
  public var isExact: Bool {
    display.utf8.elementsEqual(bytes)
  }

  /// The last part.
  public var name: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The part behind the last dot of the name, ASCII letters lowered; empty without one.
  ///
  /// Only ASCII is folded: full case mapping can change a name's length.
  public var fileExtension: [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return [] }
    return name[(dot + 1)...].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The same path one level deeper.
  public func appending(_ part: some Sequence<UInt8>) -> RelativePath {
    RelativePath(bytes + [UInt8(ascii: "/")] + part)
  }
}
