import Dispatch
import HostProcess
public import IngestCore
public import IngestFiles
public import PhotoCodecs
import Synchronization

/// Loads photos of one source folder on a fixed number of threads of its own.
///
/// Each photo is opened once and read once: the same bytes feed the checksum and the decoder, also behind the end of
/// the picture. Only one that recognition reads and does not know again is read a second time. The callback comes on a loader thread. `shutDown` must be called before the last reference goes.
///
/// What every load delivers is said once, by a `DecodeRequest`: thumbnails, or the picture itself with
/// `pixels: .maximum` or `pixels: .longSide(1024)`.
///
/// ```swift
/// let folder = try SourceFolder.open(Array("/srv/photos".utf8))
/// let loader = PhotoLoader(
///   folder: folder, threads: 2, request: DecodeRequest(pixels: .maximum), timeout: .seconds(20))
/// let id = loader.requestImage(for: Asset(path: RelativePath("a.jpg")), options: ImageRequestOptions()) { id, event in
///   switch event {
///   case .degraded(let preview): print("stand-in", preview.facts.width, preview.facts.height)
///   case .final(let photo): print(photo.row.sha256 ?? "", photo.pixels?.width ?? 0)
///   case .failed(let failure, _): print(failure.message)
///   case .cancelled: print("cancelled")
///   }
/// }
/// ```
public final class PhotoLoader: AssetLoading {
  public typealias Preview = PhotoPreview
  public typealias Original = LoadedPhoto

  private let queue = TicketQueue()
  private let nextID = Atomic<UInt64>(0)
  private let threads: [OwnThread]
  /// Signalled once by each thread that has ended.
  private let ended = DispatchSemaphore(value: 0)
  /// How long a thread that reads from a dead disk is waited for.
  private static let patience: DispatchTimeInterval = .seconds(5)

  /// Starts `threads` loader threads.
  ///
  /// - Parameters:
  ///   - request: what each load delivers; its stand-in is decided by the request's delivery mode.
  ///   - timeout: for one photo, counted from when a thread takes it up.
  ///   - place: where photos are decoded.
  ///   - fetcher: brings the originals of assets here that are in the cloud; without one they fail.
  public convenience init(
    folder: SourceFolder, threads count: Int, request: DecodeRequest, timeout: Duration,
    place: DecodingPlace = .inProcess, fetcher: OriginalFetcher? = nil
  ) {
    self.init(
      folder: folder, threads: count, request: request, timeout: timeout, place: place, thumbnails: nil,
      fetcher: fetcher)
  }

  /// - Parameters:
  ///   - thumbnails: where the loader threads write them; without one they stay with the photo.
  ///   - recognition: knows photos again that need no decoding.
  ///   - fetcher: brings remote originals here; without one they fail.
  init(
    folder: SourceFolder, threads count: Int, request: DecodeRequest, timeout: Duration, place: DecodingPlace,
    thumbnails: ThumbnailStore?, recognition: ContentRecognition? = nil, fetcher: OriginalFetcher? = nil
  ) {
    precondition(count > 0, "a loader needs a thread")
    let ended = ended
    let work = LoaderThread(
      folder: folder, request: request, timeout: timeout, place: place, thumbnails: thumbnails,
      recognition: recognition, fetcher: fetcher, queue: queue, crew: LoaderCrew(count), threads: count)
    threads = (0..<count).map { number in
      OwnThread.start(name: "loader-\(number)") {
        work.run()
        ended.signal()
      }
    }
  }

  public func requestImage(
    for asset: Asset, options: ImageRequestOptions, resultHandler: @escaping ResultHandler
  ) -> ImageRequestID {
    let id = ImageRequestID(nextID.add(1, ordering: .relaxed).newValue)
    queue.append(LoadTicket(id: id, asset: asset, options: options, resultHandler: resultHandler))
    return id
  }

  public func cancelImageRequest(_ id: ImageRequestID) {
    queue.openTicket(id)?.cancel()
  }

  /// Finishes what was asked for and ends the threads.
  ///
  /// A thread that hangs in the kernel, such as on a mount whose server is gone, is left behind when no request has ended
  /// for five seconds: nobody may wait for it for ever. Should it come back, its request still has its ending, but it
  /// writes nothing more. A thread that writes thumbnails is waited for, however slow the disk.
  @available(*, noasync, message: "shutDown blocks its thread")
  public func shutDown() {
    queue.close(threads: threads.count)
    for _ in threads {
      var finished = queue.finished
      while ended.wait(timeout: .now() + Self.patience) == .timedOut {
        if queue.giveUp(since: finished) { return }
        finished = queue.finished
      }
    }
    for thread in threads { thread.join() }
  }
}
