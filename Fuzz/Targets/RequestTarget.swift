import PhotoCodecs

@testable import Ingest
@testable import Workers

/// Is the decoder's end of the protocol: takes what a run could send.
enum RequestTarget: FuzzTarget {
  static let name = "request"

  static func run(_ bytes: [UInt8]) {
    for frame in Wire.frames(bytes, limit: DecoderService.longestRequest) {
      guard let request = try? WorkerRequest(message: frame.payload) else { continue }
      guard let again = try? WorkerRequest(message: request.frame.payload) else {
        preconditionFailure("a request that was read cannot be said again")
      }
      precondition(again == request, "a request said again is another one")
      precondition(DecodeWorker.memory(for: request.request) > 0, "a decoder without memory")
      _ = WorkerAnswer.longest(for: request)
    }
  }

  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]] {
    let requests = [
      DecodeRequest(thumbnailSizes: [256, 1024]), DecodeRequest(pixels: .longSide(300)),
      DecodeRequest(pixels: .maximum, wantsStandIn: false), DecodeRequest(scale: .full),
    ]
    let frames = requests.map { WorkerRequest(.decode, $0, .seconds(20), progressSize: 1 << 20).frame }
    let standIn = WorkerRequest(.standIn, requests[0], .seconds(1)).frame
    return (frames + [standIn]).map(\.encoded) + [frames.flatMap(\.encoded), WorkerFrame(.attempt, [3]).encoded]
  }
}
