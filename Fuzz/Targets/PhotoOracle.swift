import IngestCore
import PhotoCodecs

/// Decodes bytes twice, once as one piece and once in small ones: the answers must be one.
enum PhotoOracle {
  static func decode(_ bytes: [UInt8]) {
    let limits = DecodeLimits(maxPixels: 1 << 20, maxMemory: 16 << 20, maxScans: 20)
    let request = DecodeRequest(thumbnailSizes: [16, 64], limits: limits)
    let whole = PhotoDecoder().decode(from: Pieces(bytes, step: .max), request: request)
    let pieces = PhotoDecoder().decode(from: Pieces(bytes, step: 61), request: request)
    precondition(whole.verdict == pieces.verdict, "the verdict depends on how the bytes came")
    precondition(whole.notes == pieces.notes, "the notes depend on how the bytes came")
    precondition(whole.thumbnails == pieces.thumbnails, "the pictures depend on how the bytes came")
    precondition(whole.trailingBytes <= UInt64(bytes.count), "more bytes lie behind the picture than there are")
    switch whole.verdict {
    case .whole: precondition(whole.thumbnails.count == 2 && whole.header != nil, "a whole photo lacks its pictures")
    case .damaged: precondition(whole.header != nil, "a damaged photo lacks its header")
    case .failed: precondition(whole.thumbnails.isEmpty, "a failed photo has pictures")
    }
  }
}

/// Gives bytes to a decoder, at most `step` at a time.
final class Pieces: ByteReading {
  private let bytes: [UInt8]
  private let step: Int
  private var position = 0

  init(_ bytes: [UInt8], step: Int) {
    self.bytes = bytes
    self.step = step
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let count = min(buffer.byteCount, step, bytes.count - position)
    let piece = bytes[position..<(position + count)]
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: piece) }
    position += count
    return count
  }
}
