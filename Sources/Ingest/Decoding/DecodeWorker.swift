import IngestCore
import IngestFiles
import PhotoCodecs
import Workers

/// Runs inside a decoder process: reads and decodes photos whose descriptors come from the run.
public enum DecodeWorker {
  /// The hidden command word.
  public static let commandWord = DecoderProcess.commandWord

  /// Bytes that a decoder may allocate beside what `--max-memory` allows one photo: buffers, thumbnails, the runtime.
  static let memoryMargin = 128 << 20

  /// Serves until the run is gone; returns the exit code. `memory` is what the process may allocate, in bytes.
  @available(*, noasync, message: "serve blocks its thread for as long as the process lives")
  public static func serve(memory: Int) -> Int32 {
    let decoder = PhotoDecoder()
    return DecoderService.serve(memory: memory, warmUp: warmUp) { payload, descriptor, channel in
      let file = DescriptorReading(owning: descriptor)
      guard let request = try? WorkerRequest(message: payload) else { return }
      answer(request, file, decoder, channel)
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
        reader = ReadingProgress(file, size: size) { _ = channel.send(WorkerAnswer.progress($0)) }
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
    let answer = WorkerAnswer(
      photo: photo, checksum: checksum, processorMilliseconds: DecoderService.processorMilliseconds)
    _ = channel.send(answer.frame)
  }

  /// Lets libcrypto look up its algorithms while it may still open files.
  private static func warmUp() { _ = SHA256Digest.hex(of: []) }
}
