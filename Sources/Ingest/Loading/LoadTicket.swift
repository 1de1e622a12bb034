import IngestCore
import Synchronization

/// Carries one request from the caller to a loader thread, and its cancellation across.
final class LoadTicket: Sendable {
  let id: ImageRequestID
  let asset: Asset
  let options: ImageRequestOptions
  let resultHandler: PhotoLoader.ResultHandler
  private let cancelled = Atomic<Bool>(false)

  init(
    id: ImageRequestID, asset: Asset, options: ImageRequestOptions, resultHandler: @escaping PhotoLoader.ResultHandler
  ) {
    self.id = id
    self.asset = asset
    self.options = options
    self.resultHandler = resultHandler
  }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  func send(_ event: LoadEvent<PhotoPreview, LoadedPhoto>) {
    resultHandler(id, event)
  }
}
