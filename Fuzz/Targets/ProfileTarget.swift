import PhotoSurgery

@testable import PhotoCodecs

/// Joins ICC profiles from the segments of a JPEG, held against a joiner of a few lines, and reads and uses them.
///
/// The input is a list of segments: number, count, two bytes of length, and that many bytes.
enum ProfileTarget: FuzzTarget {
  static let name = "icc"
  private static let signature = Array("ICC_PROFILE\0".utf8)
  private static let picture = Raster(width: 8, height: 8, samplesPerPixel: 3, bytes: (0..<192).map { UInt8($0) })
  private static let carrier = picture.jpeg(quality: 80) ?? []

  private struct Piece {
    var number: UInt8
    var count: UInt8
    var bytes: [UInt8]
  }

  static func run(_ bytes: [UInt8]) {
    let pieces = pieces(of: bytes)
    let segments = pieces.flatMap { piece in
      let length = signature.count + 4 + piece.bytes.count
      return [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + signature + [piece.number, piece.count]
        + piece.bytes
    }
    let jpeg = Array(carrier.prefix(2)) + segments + carrier.dropFirst(2)
    let source = ByteSource(Pieces(jpeg, step: 1000), cancellation: Cancellation())
    guard let reader = JPEGReader(source, limits: DecodeLimits()) else { return }
    guard (try? reader.readHeader()) != nil else { preconditionFailure("profiles broke the picture") }
    let profile = reader.colour.icc
    precondition(profile == joined(pieces), "the profile is not the one that its segments make")
    guard let profile else { return }
    if let name = ColourProfile.description(of: profile) {
      precondition(name.unicodeScalars.allSatisfy { $0.value >= 32 }, "a control character in the profile's name")
    }
    let layouts: [(RowLayout, Int)] = [(.gray, 1), (.rgb, 3), (.cmyk, 4)]
    for (layout, samples) in layouts {
      let raster = Raster(width: 4, height: 4, samplesPerPixel: samples, bytes: Array(0..<UInt8(16 * samples)))
      let (made, _) = ColourConverter().convert(raster, layout: layout, colour: SourceColour(icc: profile))
      precondition(made.bytes.count == 16 * made.samplesPerPixel, "pixels are missing")
    }
  }

  private static func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while rest.count >= 4 {
      let head = Array(rest.prefix(4))
      let length = min(Int(head[2]) << 8 | Int(head[3]), 65_000, rest.count - 4)
      pieces.append(Piece(number: head[0], count: head[1], bytes: Array(rest.dropFirst(4).prefix(length))))
      rest = rest.dropFirst(4 + length)
    }
    return pieces
  }

  /// ICC.1, annex B.4: the first segment that makes sense says how many there are; the first of each number counts.
  private static func joined(_ pieces: [Piece]) -> [UInt8]? {
    var count: UInt8 = 0
    var parts: [UInt8: [UInt8]] = [:]
    for piece in pieces where piece.number > 0 && piece.number <= piece.count && (count == 0 || count == piece.count) {
      count = piece.count
      parts[piece.number] = parts[piece.number] ?? piece.bytes
    }
    guard count > 0, parts.count == Int(count) else { return nil }
    let profile = (1...count).flatMap { parts[$0] ?? [] }
    return profile.isEmpty ? nil : profile
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    photos.compactMap(PhotoParts.init).map { photo in
      photo.parts.filter { $0.name == [0xE2] && $0.payload.starts(with: signature) && $0.payload.count >= 14 }
        .flatMap { part in
          let bytes = part.payload.dropFirst(14)
          return [part.payload[12], part.payload[13], UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }
    }.filter { !$0.isEmpty }
  }
}
