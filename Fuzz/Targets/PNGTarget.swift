import PhotoSurgery

/// Decodes PNGs: libpng, its chunks, the pictures made of it.
enum PNGTarget: FuzzTarget {
  static let name = "png"

  /// The last byte says whether the checksums are mended, without which little gets past them.
  static func run(_ bytes: [UInt8]) {
    let png = PhotoParts.pngSignature + bytes.dropFirst(PhotoParts.pngSignature.count)
    let isMended = (bytes.last ?? 0) & 1 == 1
    PhotoOracle.decode(isMended ? PhotoParts(png)?.bytes ?? png : png)
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    let pictures = photos.filter { $0.starts(with: PhotoParts.pngSignature) }
    // A byte behind the end marker is for the choice above.
    return pictures.flatMap { [$0 + [0], $0 + [1]] }
  }
}
