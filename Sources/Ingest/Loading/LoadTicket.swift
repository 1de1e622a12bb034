import IngestCore
import PhotoCodecs
import Synchronization

/// Carries one request from the caller to a loader thread, and its cancellation across.
final class LoadTicket: Sendable {
  let id: ImageRequestID
  let asset: Asset
  let site: LoadSite
  let options: ImageRequestOptions
  let resultHandler: PhotoLoader.ResultHandler
  /// Reaches into the decoder; it also holds the load's time limit.
  let cancellation = Cancellation()
  private let wasCancelled = Atomic<Bool>(false)
  private let wasExpected = Atomic<Bool>(false)
  private let wasFetched = Atomic<Bool>(false)

  init(
    id: ImageRequestID, asset: Asset, site: LoadSite, options: ImageRequestOptions,
    resultHandler: @escaping PhotoLoader.ResultHandler
  ) {
    self.id = id
    self.asset = asset
    self.site = site
    self.options = options
    self.resultHandler = resultHandler
  }

  /// Whether the caller gave the request up; a load over its time is not cancelled.
  var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

  func cancel() {
    wasCancelled.store(true, ordering: .relaxed)
    cancellation.cancel()
  }

  /// Hears how far the original has been read; nil when nobody wants to, or when its fetching was told, which ends at 1.
  var readingHandler: ProgressHandler? { wasFetched.load(ordering: .relaxed) ? nil : options.progressHandler }

  /// Hears how far the original has been fetched.
  var fetchingHandler: ProgressHandler? {
    guard let handler = options.progressHandler else { return nil }
    return { [self] fraction in
      wasFetched.store(true, ordering: .relaxed)
      handler(fraction)
    }
  }

  /// True for the one who asks first: the file is to be read ahead once.
  func expect() -> Bool { !wasExpected.exchange(true, ordering: .relaxed) }

  func send(_ event: LoadEvent<PhotoPreview, LoadedPhoto>) {
    resultHandler(id, event)
  }
}
