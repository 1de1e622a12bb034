import IngestCore
import IngestFiles
import PhotoCodecs
import Workers

/// Runs inside a decoder process: reads and decodes photos whose descriptors come from the run.
public enum DecodeWorker {
  /// The hidden command word.
  public static let commandWord = DecoderProcess.commandWord

  /// The running program, also when its file was replaced. A decoder only where `main` begins with `serve`.
  public static let thisProgram = "/proc/self/exe"

  /// Whether this process was started as a decoder, and not by somebody who typed the word.
  public static var isPluggedIn: Bool { DecoderService.isPluggedIn }

  /// Bytes that a decoder may allocate beside what one photo needs: buffers, small pictures, the runtime.
  private static let margin = 128 << 20

  /// Bytes that a decoder may allocate in all to do what the request asks for.
  ///
  /// Pictures that are delivered count beside `maxMemory`, which is for what the codecs need: as made, converted,
  /// turned, encoded, and in the message.
  static func memory(for request: DecodeRequest) -> Int {
    let most = Double(max(0, request.limits.maxPixels)) * 3
    let thumbnails = request.thumbnailSizes.map { min(Double($0) * Double($0) * 3, most) }.reduce(0, +)
    let copies = 6 * (thumbnails + (request.keepsPixels ? most : 0))
    return Int(clampingAbove: Double(margin) + Double(max(0, request.limits.maxMemory)) + copies)
  }

  /// Serves until the run is gone; returns the exit code. `memory` is what the process may allocate, in bytes.
  @available(*, noasync, message: "serve blocks its thread for as long as the process lives")
  public static func serve(memory: Int) -> Int32 {
    let decoder = PhotoDecoder()
    return DecoderService.serve(memory: memory, warmUp: warmUp) { payload, descriptor, channel in
      let file = DescriptorReading(owning: descriptor)
      guard let request = try? WorkerRequest(message: payload) else { return false }
      answer(request, file, decoder, channel)
      return true
    }
  }

  private static func answer(
    _ request: WorkerRequest, _ file: DescriptorReading, _ decoder: PhotoDecoder, _ channel: WorkerChannel
  ) {
    let cancellation = Cancellation()
    cancellation.setTimeLimit(.milliseconds(request.timeoutMilliseconds))
    var photo: DecodedPhoto?
    switch request.task {
    case .decode:
      var reader: any ByteReading = file
      if let size = request.progressSize {
        var steps = ProgressSteps()
        reader = ReadingProgress(file, size: size) { fraction in
          if steps.isNew(fraction) { _ = channel.send(WorkerAnswer.progress(fraction)) }
        }
      }
      photo = decoder.decode(from: reader, request: request.request, cancellation: cancellation) { standIn in
        _ = channel.send(standIn.frame)
      }
    case .standIn:
      let standIn = decoder.standIn(
        from: file, limits: request.request.limits, keepsPixels: request.request.keepsPixels,
        cancellation: cancellation)
      if let standIn { _ = channel.send(standIn.frame) }
    }
    let checksum = DecodeAnswer.Checksum(
      sha256: file.errorNumber == 0 ? file.checksum() : "", bytesRead: file.bytesRead, errorNumber: file.errorNumber)
    // A run that is gone is noticed when the next request is waited for.
    _ = channel.send(WorkerAnswer(photo: photo, checksum: checksum).frame)
  }

  /// Lets libcrypto look up its algorithms while it may still open files.
  private static func warmUp() { _ = SHA256Digest.hex(of: []) }
}

/// Thins out progress to whole hundredths: a message for each piece read would cost more than it tells.
struct ProgressSteps {
  /// The most messages that one photo gives.
  static let most = 101
  private var last = -1

  mutating func isNew(_ fraction: Double) -> Bool {
    let step = Int(max(0, min(1, fraction)) * 100)
    defer { last = max(last, step) }
    return step > last
  }
}

extension Int {
  /// The nearest integer, or the largest.
  fileprivate init(clampingAbove value: Double) {
    self = value < Double(Int.max) ? Int(value) : .max
  }
}
