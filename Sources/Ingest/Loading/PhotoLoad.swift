import IngestCore
import IngestFiles
import PhotoCodecs

/// Does one load after the other on one loader thread: open, have it read and decoded, say how it ended.
final class PhotoLoad {
  private let request: DecodeRequest
  private let timeout: Duration
  private let decoding: any PhotoDecoding
  /// The photo that is decoded ahead.
  private var begun: (id: ImageRequestID, file: SourceFile)?

  init(request: DecodeRequest, timeout: Duration, decoding: any PhotoDecoding) {
    self.request = request
    self.timeout = timeout
    self.decoding = decoding
  }

  /// Opens the photo of a request and has it decoded from now on; `run` goes on from there.
  ///
  /// What stands in the way is for `run` to find.
  func begin(_ ticket: LoadTicket) {
    guard !ticket.isCancelled, !ticket.asset.isInCloud, ticket.options.deliveryMode != .fastFormat,
      // Perhaps it will not be decoded at all.
      ticket.site.recognition?.mayKnow(ticket.asset.path) != true,
      let file = try? ticket.site.folder.open(ticket.asset.path)
    else { return }
    begun = (ticket.id, file)
    decoding.begin(file, request(for: ticket), for: ticket, timeout: timeout)
  }

  private func request(for ticket: LoadTicket) -> DecodeRequest {
    var request = request
    request.wantsStandIn = ticket.options.deliveryMode == .opportunistic
    return request
  }

  /// Runs one request; its stand-in is sent on the way, its ending is returned.
  ///
  /// - Parameters:
  ///   - whenOpen: called when the file is open, before it is waited for.
  ///   - whenDecoded: called when the decoder has nothing more to say of it, before the rest is done.
  func run(
    _ ticket: LoadTicket, whenOpen: () -> Void = {}, whenDecoded: () -> Void = {}
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    let begun = begun.take()
    if ticket.isCancelled { return .cancelled }
    let site = ticket.site
    if ticket.asset.isInCloud {
      guard let fetcher = site.fetcher else {
        let failure =
          ticket.options.isNetworkAccessAllowed
          ? LoadFailure(.fetchFailed, "the original is remote and this loader reads local files only")
          : LoadFailure(.networkOff, "the original is remote and network access is off")
        return .failed(failure, salvage: nil)
      }
      return runFetched(ticket, fetcher, whenDecoded: whenDecoded)
    }
    if let known = site.recognition?.recognise(
      ticket.asset.path, thumbnails: site.thumbnails, isCancelled: { ticket.isCancelled })
    {
      return Self.ending(known)
    }
    let file: SourceFile
    if let begun, begun.id == ticket.id {
      file = begun.file
    } else {
      do {
        file = try site.folder.open(ticket.asset.path)
      } catch {
        return .failed(error.loadFailure, salvage: nil)
      }
    }
    return read(file, ticket, whenOpen: whenOpen, whenDecoded: whenDecoded)
  }

  /// Has an original brought here, and loads it like any other.
  private func runFetched(
    _ ticket: LoadTicket, _ fetcher: OriginalFetcher, whenDecoded: () -> Void
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    let path = ticket.asset.path
    let ending = fetcher.obtain(
      path, isNetworkAllowed: ticket.options.isNetworkAccessAllowed, progress: ticket.fetchingHandler,
      isCancelled: { ticket.isCancelled })
    switch ending {
    case .cancelled: return .cancelled
    case .failed(let failure): return .failed(failure, salvage: nil)
    case .here(let original):
      defer { fetcher.release(path) }
      return read(original.file, ticket, whenDecoded: whenDecoded).fetched(modified: original.modified)
    }
  }

  /// Has an open file read and decoded.
  private func read(
    _ file: SourceFile, _ ticket: LoadTicket, whenOpen: () -> Void = {}, whenDecoded: () -> Void
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    if ticket.options.deliveryMode == .fastFormat { return fastForm(of: file, ticket) }

    whenOpen()
    var preview: AssetRow.Preview?
    let answer = decoding.decode(file, request(for: ticket), for: ticket, timeout: timeout) { standIn in
      let facts = AssetRow.Preview(standIn)
      preview = facts
      ticket.send(.degraded(PhotoPreview(facts: facts, pixels: standIn.pixels)))
    }
    whenDecoded()
    switch answer {
    case .cancelled: return .cancelled
    case .gaveUp(let failure): return ending(nil, of: file, for: ticket, overruling: failure, preview: preview)
    case .read(let photo, let checksum):
      var failure: LoadFailure?
      file.awaitLaterTimes()
      if checksum.errorNumber != 0 {
        failure = file.readFailure(errorNumber: checksum.errorNumber).loadFailure
      } else if let change = file.change(whenRead: checksum.bytesRead) {
        failure = LoadFailure(change)
      }
      return ending(photo, of: file, for: ticket, sha256: checksum.sha256, overruling: failure, preview: preview)
    }
  }

  private func ending(
    _ photo: DecodedPhoto?, of file: SourceFile, for ticket: LoadTicket, sha256: String? = nil,
    overruling failure: LoadFailure?, preview: AssetRow.Preview?
  ) -> LoadEvent<PhotoPreview, LoadedPhoto> {
    let (path, thumbnails) = (ticket.asset.path, ticket.site.thumbnails)
    let row = AssetRow(
      path: path, photo: photo, identity: file.identity, sha256: failure == nil ? sha256 : nil, preview: preview,
      overruling: failure)
    var loaded = LoadedPhoto(row: row, thumbnails: [])
    loaded.identity = file.identity
    // What was seen of a file that changed under its reader is nobody's picture.
    if failure == nil, let photo {
      loaded.pixels = photo.pixels
      if let thumbnails, let sha256, !photo.thumbnails.isEmpty {
        loaded.deposit = ThumbnailDeposit(photo.thumbnails, of: path, sha256: sha256, in: thumbnails)
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

extension LoadEvent<PhotoPreview, LoadedPhoto> {
  /// The same of an original that was fetched: the times of its file here are nobody's business.
  fileprivate func fetched(modified: String?) -> LoadEvent {
    switch self {
    case .final(let photo): .final(photo.fetched(modified: modified))
    case .failed(let failure, let salvage): .failed(failure, salvage: salvage?.fetched(modified: modified))
    case .degraded, .cancelled: self
    }
  }
}

extension LoadedPhoto {
  fileprivate func fetched(modified: String?) -> LoadedPhoto {
    var photo = self
    photo.row.modified = modified
    photo.identity = nil
    return photo
  }
}
