public import IngestCore
public import IngestFiles
public import PhotoCodecs

/// Loads photos of one source folder on a fixed number of threads: its own, or those that several folders share.
///
/// Each photo is opened once and read once: the same bytes feed the checksum and the decoder, also behind the end of
/// the picture. Only one that recognition reads and does not know again is read a second time. The callback comes on a
/// loader thread. `shutDown` must be called before the last reference goes.
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

  private let pool: LoaderPool
  private let site: LoadSite
  private let ownsPool: Bool

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
    let site = LoadSite(folder: folder, fetcher: fetcher)
    self.init(site, threads: count, request: request, timeout: timeout, place: place)
  }

  /// Starts `threads` loader threads for one site.
  convenience init(
    _ site: LoadSite, threads count: Int, request: DecodeRequest, timeout: Duration, place: DecodingPlace
  ) {
    let pool = LoaderPool(threads: count, request: request, timeout: timeout, place: place)
    self.init(site, on: pool, ownsPool: true)
  }

  /// Loads on the threads of a pool; only its owner shuts them down.
  init(_ site: LoadSite, on pool: LoaderPool, ownsPool: Bool = false) {
    self.site = site
    self.pool = pool
    self.ownsPool = ownsPool
  }

  public func requestImage(
    for asset: Asset, options: ImageRequestOptions, resultHandler: @escaping ResultHandler
  ) -> ImageRequestID {
    pool.request(asset, at: site, options: options, resultHandler: resultHandler)
  }

  public func cancelImageRequest(_ id: ImageRequestID) {
    site.openTicket(id)?.cancel()
  }

  /// Finishes what was asked for and ends the threads, unless other loaders share them.
  ///
  /// A thread that hangs in the kernel, such as on a mount whose server is gone, is left behind when no request has ended
  /// for five seconds: nobody may wait for it for ever. Should it come back, its request still has its ending, but it
  /// writes nothing more. A thread that writes thumbnails is waited for, however slow the disk.
  @available(*, noasync, message: "shutDown blocks its thread")
  public func shutDown() {
    let isIdle = site.close()
    if ownsPool { pool.shutDown(isIdle: isIdle) }
  }
}
