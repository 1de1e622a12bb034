import PhotoSurgery

@testable import PhotoCodecs

/// Reads Exif blocks: every value is absent or one that a manifest may hold.
enum ExifTarget: FuzzTarget {
  static let name = "exif"

  static func run(_ bytes: [UInt8]) {
    let facts = ExifBlock.read(tiff: bytes)
    precondition(facts.orientation.map { (1...8).contains($0) } ?? true, "an orientation that is none")
    let metadata = facts.metadata
    let texts = [metadata.make, metadata.model, metadata.lens, metadata.description, metadata.comment]
    for text in texts.compactMap({ $0 }) {
      precondition(text.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" || $0 == "\t" }, "a control character")
    }
    let numbers = [metadata.fNumber, metadata.focalLength, metadata.exposureSeconds, metadata.altitude]
    precondition(numbers.compactMap { $0 }.allSatisfy(\.isFinite), "a number that JSON does not have")
    precondition(metadata.latitude.map { (-90...90).contains($0) } ?? true, "a latitude beyond the poles")
    precondition(metadata.longitude.map { (-180...180).contains($0) } ?? true, "a longitude of more than half a turn")
    precondition((facts.embeddedJPEG?.count ?? 0) <= bytes.count, "a picture that is larger than its block")
    precondition(facts == ExifBlock.read(tiff: bytes), "two readings differ")
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    let signature = Array("Exif\0\0".utf8)
    return photos.compactMap(PhotoParts.init).flatMap(\.parts).compactMap { part in
      if part.name == [0xE1], part.payload.starts(with: signature) { return Array(part.payload.dropFirst(6)) }
      return part.name == Array("eXIf".utf8) ? part.payload : nil
    }
  }
}
