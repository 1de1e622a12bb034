import PhotoCodecs

@testable import Ingest
@testable import Workers

/// Is the run's end of the protocol: takes what a decoder could send that somebody has taken over.
enum AnswerTarget: FuzzTarget {
  static let name = "answer"
  private static let request = WorkerRequest(
    .decode, DecodeRequest(thumbnailSizes: [16, 64], keepsPixels: true), .seconds(20), progressSize: 1 << 20)

  static func run(_ bytes: [UInt8]) {
    for frame in Wire.frames(bytes, limit: 1 << 20) {
      switch frame.kind {
      case .ready: _ = SandboxMeasure.refused(in: frame)
      case .degraded: if let picture = try? StandInPicture(message: frame.payload, for: request) { expect(picture) }
      case .progress:
        if let fraction = try? WorkerAnswer.fraction(frame.payload) {
          precondition((0...1).contains(fraction), "a progress that is none")
        }
      case .ending: if let answer = try? WorkerAnswer(message: frame.payload) { expect(answer) }
      case .request, .attempt: break
      }
    }
  }

  private static func expect(_ picture: StandInPicture) {
    precondition(picture.width > 0 && picture.height > 0, "a stand-in without a size")
    precondition((try? StandInPicture(message: picture.frame.payload)) == picture, "a stand-in said again is another")
  }

  private static func expect(_ answer: WorkerAnswer) {
    guard let again = try? WorkerAnswer(message: answer.frame.payload) else {
      preconditionFailure("an answer that was read cannot be said again")
    }
    precondition(again.frame == answer.frame, "an answer said again is another")
    guard answer.isPlausible(for: request), let photo = answer.photo else { return }
    precondition(photo.thumbnails.allSatisfy { [16, 64].contains($0.size) }, "a thumbnail that nobody asked for")
    if let pixels = photo.pixels {
      precondition(pixels.pixels.count == pixels.width * pixels.height * 3, "pixels that do not fill their picture")
    }
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    let small = photos.filter { $0.count < 20_000 }.prefix(24)
    return small.map { bytes in
      var frames = [WorkerFrame(.ready, [SandboxMeasure.noCore.rawValue]), WorkerAnswer.progress(0.5)]
      let photo = PhotoDecoder().decode(from: Pieces(bytes, step: .max), request: request.request) {
        frames.append($0.frame)
      }
      let checksum = DecodeAnswer.Checksum(
        sha256: String(repeating: "0a", count: 32), bytesRead: UInt64(bytes.count), errorNumber: 0)
      frames.append(WorkerAnswer(photo: photo, checksum: checksum).frame)
      return frames.flatMap(\.encoded)
    }
  }
}
