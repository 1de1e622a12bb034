import IngestCore
import IngestFiles
import PhotoCodecs

/// Does one load after the other on one loader thread: open, read once, decode, say how it ended.
final class PhotoLoad {
  private let folder: SourceFolder
  private let request: DecodeRequest
  private let timeout: Duration
  private let decoder = PhotoDecoder()

  init(folder: SourceFolder, request: DecodeRequest, timeout: Duration) {
    self.folder = folder
    self.request = request
    self.timeout = timeout
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
    ticket.cancellation.setTimeLimit(timeout)
    if ticket.options.deliveryMode == .fastFormat { return fastForm(of: ticket) }
    let file: SourceFile
    do throws(FileError) {
      file = try folder.open(ticket.asset.path)
    } catch {
      return .failed(error.loadFailure, salvage: nil)
    }

    var request = request
    request.wantsStandIn = ticket.options.deliveryMode == .opportunistic
    var preview: AssetRow.Preview?
    let reading = ReadingProgress(file, tell: ticket.options.progressHandler)
    let photo = decoder.decode(from: reading, request: request, cancellation: ticket.cancellation) { standIn in
      let facts = AssetRow.Preview(standIn)
      preview = facts
      ticket.send(.degraded(PhotoPreview(facts: facts, pixels: standIn.pixels)))
    }
    if ticket.isCancelled { return .cancelled }
    return ending(photo, of: file, at: ticket.asset.path, preview: preview, isLate: ticket.cancellation.isLate)
  }

  private func ending(
    _ photo: DecodedPhoto, of file: SourceFile, at path: RelativePath, preview: AssetRow.Preview?, isLate: Bool
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    var failure: LoadFailure?
    if let error = file.error {
      failure = error.loadFailure
    } else if let change = file.change() {
      failure = LoadFailure(change)
    } else if isLate {
      failure = timedOut
    }
    let row = AssetRow(
      path: path, photo: photo, identity: file.identity, sha256: failure == nil ? file.finishChecksum() : nil,
      preview: preview, overruling: failure)
    let loaded = LoadedPhoto(
      row: row, thumbnails: failure == nil ? photo.thumbnails : [], pixels: failure == nil ? photo.pixels : nil)
    if let error = row.error { return .failed(error, salvage: loaded) }
    return .final(loaded)
  }

  private var timedOut: LoadFailure {
    LoadFailure(.timeout, "the photo took longer than the time limit of \(timeout.secondsText) seconds")
  }

  /// Answers a request for the fast form: one event, degraded and terminal.
  private func fastForm(of ticket: LoadTicket) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    do throws(FileError) {
      let file = try folder.open(ticket.asset.path)
      guard
        let standIn = decoder.standIn(
          from: file, limits: request.limits, keepsPixels: request.keepsPixels, cancellation: ticket.cancellation)
      else {
        if ticket.isCancelled { return .cancelled }
        if let error = file.error { return .failed(error.loadFailure, salvage: nil) }
        if ticket.cancellation.isLate { return .failed(timedOut, salvage: nil) }
        return .failed(LoadFailure(.corrupt, "no stand-in can be made of the file"), salvage: nil)
      }
      return .degraded(PhotoPreview(facts: AssetRow.Preview(standIn), pixels: standIn.pixels))
    } catch {
      return .failed(error.loadFailure, salvage: nil)
    }
  }
}
