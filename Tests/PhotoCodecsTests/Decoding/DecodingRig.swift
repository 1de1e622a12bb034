import IngestCore
import IngestTestSupport

@testable import PhotoCodecs

/// Decodes a photo that a test holds and keeps the stand-ins that came on the way.
struct DecodingRig {
  var photo: DecodedPhoto
  var standIns: [StandInPicture]

  init(
    _ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest(thumbnailSizes: [16]), step: Int = .max,
    cancellation: Cancellation = Cancellation()
  ) {
    self.init(MemoryReading(bytes, step: step), request, cancellation: cancellation)
  }

  init(_ reading: any ByteReading, _ request: DecodeRequest, cancellation: Cancellation = Cancellation()) {
    var standIns: [StandInPicture] = []
    photo = PhotoDecoder().decode(from: reading, request: request, cancellation: cancellation) { standIns.append($0) }
    self.standIns = standIns
  }

  var error: CodecError? {
    switch photo.verdict {
    case .whole: nil
    case .damaged(let error), .failed(let error): error
    }
  }

  var isWhole: Bool { photo.verdict == .whole }
  var isFailed: Bool { if case .failed = photo.verdict { true } else { false } }
  var isDamaged: Bool { if case .damaged = photo.verdict { true } else { false } }

  /// A JPEG with an Exif block.
  static func jpeg(_ kind: TinyJPEG = .baseline, orientation: UInt16? = nil, embedded: [UInt8]? = nil) -> [UInt8] {
    JPEGSurgery.inserting(
      JPEGSurgery.exif(TinyExif.block(orientation: orientation, embedded: embedded)), into: kind.bytes)
  }
}

/// Counts how often it is asked and what it gave, and can act when a place is reached.
final class WatchedReading: ByteReading {
  private let inner: MemoryReading
  private let atPlace: (Int) -> Void
  private(set) var given = 0
  private(set) var endsTold = 0

  init(_ bytes: [UInt8], step: Int = .max, atPlace: @escaping (Int) -> Void = { _ in }) {
    inner = MemoryReading(bytes, step: step)
    self.atPlace = atPlace
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let count = inner.read(into: &buffer)
    given += count
    if count == 0 { endsTold += 1 }
    atPlace(given)
    return count
  }
}
