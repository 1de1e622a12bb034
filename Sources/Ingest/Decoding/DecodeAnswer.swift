import IngestCore
import IngestFiles
import PhotoCodecs

/// Tells how one decode went, wherever it ran.
enum DecodeAnswer {
  /// The photo was read to its end, or as far as its reader came.
  case read(DecodedPhoto, checksum: Checksum)
  /// It was read no further than the time limit, or a crash of the decoder.
  case gaveUp(LoadFailure)
  /// The caller gave the request up.
  case cancelled

  /// What the reader of the bytes has to say.
  struct Checksum: Equatable {
    /// Lower-case hex; of no use when reading failed.
    var sha256: String
    var bytesRead: UInt64
    /// What ended the stream early, or 0.
    var errorNumber: Int32
  }
}

/// Tells what became of a stand-in that was asked for alone.
enum StandInAnswer {
  case made(StandInPicture)
  case gaveUp(LoadFailure)
  case cancelled

  /// What is to be said when nothing can be shown.
  static let none = StandInAnswer.gaveUp(LoadFailure(.corrupt, "no stand-in can be made of the file"))
}

/// Says that a loader thread has nothing to decode with.
struct DecodingUnavailable: Error {
  let reason: String
}

/// Decodes open files one after the other for one loader thread: here, or in a process of its own.
protocol PhotoDecoding: AnyObject {
  /// Makes ready for the next photo, or says why that cannot be. Costs nothing when all is ready.
  func prepare(isCancelled: () -> Bool) throws(DecodingUnavailable)

  /// Whether the next photo can be begun while the last one is written up.
  var decodesAhead: Bool { get }

  /// Begins a photo that `decode` is asked for next, with the same words.
  func begin(_ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration)

  /// Reads the file to its end and decodes it. `onStandIn` is called at most once, before this returns.
  ///
  /// - Parameter timeout: for this photo, whatever is tried.
  func decode(
    _ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> DecodeAnswer

  /// Makes the quickest stand-in of the file.
  func standIn(
    of file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration
  ) -> StandInAnswer
}
