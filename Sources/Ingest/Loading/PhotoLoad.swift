import IngestCore
import IngestFiles
import PhotoCodecs

/// Does one load after the other on one loader thread: open, have it read and decoded, say how it ended.
final class PhotoLoad {
  private let folder: SourceFolder
  private let request: DecodeRequest
  private let timeout: Duration
  private let decoding: any PhotoDecoding
  private let thumbnails: ThumbnailStore?
  private let recognition: ContentRecognition?

  init(
    folder: SourceFolder, request: DecodeRequest, timeout: Duration, decoding: any PhotoDecoding,
    thumbnails: ThumbnailStore?, recognition: ContentRecognition?
  ) {
    self.folder = folder
    self.request = request
    self.timeout = timeout
    self.decoding = decoding
    self.thumbnails = thumbnails
    self.recognition = recognition
  }

  /// Runs one request; its stand-in is sent on the way, its ending is returned.
  func run(_ ticket: LoadTicket) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    if ticket.isCancelled { return .cancelled }
    if ticket.asset.isInCloud {
      let failure =
        ticket.options.isNetworkAccessAllowed
        ? LoadFailure(.fetchFailed, "the original is remote and this loader reads local files only")
        : LoadFailure(.networkOff, "the original is remote and network access is off")
      return .failed(failure, salvage: nil)
    }
    if let known = recognition?.recognise(
      ticket.asset.path, thumbnails: thumbnails, isCancelled: { ticket.isCancelled })
    {
      return Self.ending(known)
    }
    let file: SourceFile
    do {
      file = try folder.open(ticket.asset.path)
    } catch {
      return .failed(error.loadFailure, salvage: nil)
    }
    if ticket.options.deliveryMode == .fastFormat { return fastForm(of: file, ticket) }

    var request = request
    request.wantsStandIn = ticket.options.deliveryMode == .opportunistic
    var preview: AssetRow.Preview?
    let answer = decoding.decode(file, request, for: ticket, timeout: timeout) { standIn in
      let facts = AssetRow.Preview(standIn)
      preview = facts
      ticket.send(.degraded(PhotoPreview(facts: facts, pixels: standIn.pixels)))
    }
    switch answer {
    case .cancelled: return .cancelled
    case .gaveUp(let failure): return ending(nil, of: file, overruling: failure, preview: preview)
    case .read(let photo, let checksum):
      var failure: LoadFailure?
      file.awaitLaterTimes()
      if checksum.errorNumber != 0 {
        failure = file.readFailure(errorNumber: checksum.errorNumber).loadFailure
      } else if let change = file.change(whenRead: checksum.bytesRead) {
        failure = LoadFailure(change)
      }
      return ending(photo, of: file, sha256: checksum.sha256, overruling: failure, preview: preview)
    }
  }

  private func ending(
    _ photo: DecodedPhoto?, of file: SourceFile, sha256: String? = nil, overruling failure: LoadFailure?,
    preview: AssetRow.Preview?
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    let row = AssetRow(
      path: file.path, photo: photo, identity: file.identity, sha256: failure == nil ? sha256 : nil, preview: preview,
      overruling: failure)
    var loaded = LoadedPhoto(row: row, thumbnails: [])
    loaded.identity = file.identity
    // What was seen of a file that changed under its reader is nobody's picture.
    if failure == nil, let photo {
      loaded.pixels = photo.pixels
      if let thumbnails, let sha256, !photo.thumbnails.isEmpty {
        loaded.deposit = ThumbnailDeposit(photo.thumbnails, of: file.path, sha256: sha256, in: thumbnails)
      } else if thumbnails == nil {
        loaded.thumbnails = photo.thumbnails
      }
    }
    return Self.ending(loaded)
  }

  private static func ending(_ loaded: LoadedPhoto) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    if let error = loaded.row.error { return .failed(error, salvage: loaded) }
    return .final(loaded)
  }

  /// Answers a request for the fast form: one event, degraded and terminal.
  private func fastForm(of file: SourceFile, _ ticket: LoadTicket) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    switch decoding.standIn(of: file, request, for: ticket, timeout: timeout) {
    case .made(let standIn):
      return .degraded(PhotoPreview(facts: AssetRow.Preview(standIn), pixels: standIn.pixels))
    case .gaveUp(let failure): return .failed(failure, salvage: nil)
    case .cancelled: return .cancelled
    }
  }
}
