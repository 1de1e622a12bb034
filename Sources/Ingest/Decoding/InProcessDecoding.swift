import IngestCore
import IngestFiles
import PhotoCodecs

/// Decodes in this process, on the thread that asks. A fault in a codec is a fault of the whole program.
final class InProcessDecoding: PhotoDecoding {
  private let decoder = PhotoDecoder()

  /// The thread that asks is the one that decodes.
  var decodesAhead: Bool { false }

  func prepare(isCancelled: () -> Bool) {}

  func begin(_ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration) {}

  func decode(
    _ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> DecodeAnswer {
    ticket.cancellation.setTimeLimit(timeout)
    var reader: any ByteReading = file
    if let report = ticket.readingHandler {
      reader = ReadingProgress(file, size: file.identity.size, tell: report)
    }
    let photo = decoder.decode(
      from: reader, request: request, cancellation: ticket.cancellation, onStandIn: onStandIn)
    if ticket.isCancelled { return .cancelled }
    if ticket.cancellation.isLate { return .gaveUp(.timeout(timeout)) }
    let errorNumber = file.error?.errno ?? 0
    return .read(
      photo,
      checksum: DecodeAnswer.Checksum(
        sha256: errorNumber == 0 ? file.finishChecksum() : "", bytesRead: file.bytesRead, errorNumber: errorNumber))
  }

  func standIn(
    of file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration
  ) -> StandInAnswer {
    ticket.cancellation.setTimeLimit(timeout)
    let standIn = decoder.standIn(
      from: file, limits: request.limits, keepsPixels: request.keepsPixels, cancellation: ticket.cancellation)
    if let standIn { return .made(standIn) }
    if ticket.isCancelled { return .cancelled }
    if let error = file.error { return .gaveUp(error.loadFailure) }
    return ticket.cancellation.isLate ? .gaveUp(.timeout(timeout)) : .none
  }
}
