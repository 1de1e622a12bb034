import PhotoCodecs
import Workers

/// Holds what a decoder process says at the end of a photo.
///
/// Believed in form only: `isPlausible` holds it against what was asked for, and what it claims of the file's content
/// nobody can hold against anything but a second reading.
struct WorkerAnswer {
  /// Nil for a stand-in that was asked for alone.
  var photo: DecodedPhoto?
  var checksum: DecodeAnswer.Checksum

  var frame: WorkerFrame {
    var writer = MessageWriter()
    writer.add(photo) { $1.write(to: &$0) }
    writer.add(checksum.sha256)
    writer.add(checksum.bytesRead)
    writer.add(Int(checksum.errorNumber))
    return WorkerFrame(.ending, writer.bytes)
  }

  init(photo: DecodedPhoto?, checksum: DecodeAnswer.Checksum) {
    self.photo = photo
    self.checksum = checksum
  }

  init(message bytes: [UInt8]) throws(MessageReader.Malformed) {
    var reader = MessageReader(bytes)
    photo = try reader.optional { reader throws(MessageReader.Malformed) in try DecodedPhoto(from: &reader) }
    let sha256 = try reader.text()
    let isChecksum = sha256.utf8.count == 64 && sha256.utf8.allSatisfy { Self.hexDigits.contains($0) }
    let bytesRead = try reader.unsigned()
    let errorNumber = Int32(try reader.count(upTo: 4095))
    // A checksum of a whole reading or none of a broken one.
    guard errorNumber == 0 ? isChecksum : sha256.isEmpty else { throw MessageReader.Malformed() }
    checksum = DecodeAnswer.Checksum(sha256: sha256, bytesRead: bytesRead, errorNumber: errorNumber)
    try reader.finish()
  }

  private static let hexDigits = Set("0123456789abcdef".utf8)

  static func progress(_ fraction: Double) -> WorkerFrame {
    var writer = MessageWriter()
    writer.add(fraction)
    return WorkerFrame(.progress, writer.bytes)
  }

  static func fraction(_ bytes: [UInt8]) throws(MessageReader.Malformed) -> Double {
    var reader = MessageReader(bytes)
    let fraction = try reader.number()
    try reader.finish()
    guard (0...1).contains(fraction) else { throw MessageReader.Malformed() }
    return fraction
  }
}

extension WorkerAnswer {
  /// Whether a decoder that was asked this could have come to that answer.
  func isPlausible(for request: WorkerRequest) -> Bool {
    guard request.task == .decode else { return photo == nil }
    guard let photo else { return false }
    let wanted = request.request
    guard photo.pixels == nil || wanted.keepsPixels else { return false }
    switch photo.verdict {
    case .failed: return photo.thumbnails.isEmpty && photo.pixels == nil
    case .whole, .damaged:
      guard photo.format != nil, let header = photo.header, header.width > 0, header.height > 0 else { return false }
    }
    // Sizes become names of folders, and one size one file.
    let sizes = photo.thumbnails.map(\.size)
    return Set(sizes).count == sizes.count && Set(sizes).isSubset(of: wanted.thumbnailSizes)
      && photo.thumbnails.allSatisfy(\.isPlausible)
  }

  /// The longest message that an answer to the request can be, in bytes.
  static func longest(for request: WorkerRequest) -> Int {
    let wanted = request.request
    // Metadata as text and the ICC description: what a file's blocks can hold, with room.
    let metadata = 32.0 * Double(1 << 20)
    let thumbnails = wanted.thumbnailSizes.map { Double($0) * Double($0) * 4 + Double(1 << 16) }.reduce(0, +)
    let pixels = wanted.keepsPixels ? Double(max(0, wanted.limits.maxPixels)) * 3 : 0
    return Int(min(metadata + thumbnails + pixels, Double(WorkerFrame.maximumLength)))
  }
}

extension EncodedThumbnail {
  /// Whether it is as large as it says and begins as a JPEG does (ITU-T T.81, B.1.1.3: SOI).
  fileprivate var isPlausible: Bool {
    (1...max(1, size)).contains(width) && (1...max(1, size)).contains(height) && jpeg.starts(with: [0xFF, 0xD8])
  }
}
