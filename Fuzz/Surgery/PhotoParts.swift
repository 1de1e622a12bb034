/// Takes a JPEG or PNG apart, so that a change of one part can be put together again with the right lengths and
/// checksums: a fault that gets past the first gate.
public struct PhotoParts: Sendable {
  public enum Kind: Sendable { case jpeg, png }

  /// A marker segment or a chunk.
  public struct Part: Sendable {
    /// The marker's second byte, or the chunk's four.
    public var name: [UInt8]
    public var payload: [UInt8]
    /// Of a JPEG: the bytes up to the next marker segment, such as a scan's codes.
    public var following: [UInt8] = []

    public init(name: [UInt8], payload: [UInt8]) {
      self.name = name
      self.payload = payload
    }
  }

  public let kind: Kind
  public var parts: [Part] = []
  /// What is no part: all that comes behind the end marker, or behind a part that is cut off.
  public var tail: [UInt8] = []

  public static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Nil for what begins like neither.
  public init?(_ bytes: [UInt8]) {
    if bytes.starts(with: Self.pngSignature) {
      kind = .png
      readChunks(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      kind = .jpeg
      readSegments(bytes)
    } else {
      return nil
    }
  }

  /// The file, with every length and checksum as it must be.
  public var bytes: [UInt8] {
    switch kind {
    case .png: Self.pngSignature + parts.flatMap { Self.chunk($0.name, $0.payload) } + tail
    case .jpeg: [0xFF, 0xD8] + parts.flatMap { Self.segment($0) } + tail
    }
  }

  // MARK: PNG

  private mutating func readChunks(_ bytes: [UInt8]) {
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - at - 12 else { break }
      let name = Array(bytes[(at + 4)..<(at + 8)])
      parts.append(Part(name: name, payload: Array(bytes[(at + 8)..<(at + 8 + length)])))
      at += 12 + length
      if name == Array("IEND".utf8) { break }
    }
    tail = Array(bytes[at...])
  }

  /// A chunk with its length and checksum (PNG 5.3).
  public static func chunk(_ name: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    let covered = name + payload
    return number(UInt32(truncatingIfNeeded: payload.count)) + covered + number(checksum(covered))
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }

  // MARK: JPEG

  private mutating func readSegments(_ bytes: [UInt8]) {
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, !Self.isBare(bytes[at + 1]) {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { break }
      var part = Part(name: [bytes[at + 1]], payload: Array(bytes[(at + 4)..<(at + 2 + length)]))
      at += 2 + length
      let behind = at
      while at + 1 < bytes.count, bytes[at] != 0xFF || Self.isBare(bytes[at + 1]) {
        if bytes[at] == 0xFF, bytes[at + 1] == 0xD9 { break }
        at += 1
      }
      if at + 1 >= bytes.count { at = bytes.count }
      part.following = Array(bytes[behind..<at])
      parts.append(part)
    }
    tail = Array(bytes[at...])
  }

  /// Whether what stands behind 0xFF is no segment with a length: a stuffed byte, a fill byte or a bare marker.
  private static func isBare(_ byte: UInt8) -> Bool { byte < 0xC0 || (0xD0...0xD9).contains(byte) || byte == 0xFF }

  private static func segment(_ part: Part) -> [UInt8] {
    let payload = part.payload.prefix(65_533)
    let length = payload.count + 2
    return [0xFF] + part.name + [UInt8(length >> 8), UInt8(length & 0xFF)] + payload + part.following
  }
}
