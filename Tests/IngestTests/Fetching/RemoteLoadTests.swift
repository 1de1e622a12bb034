import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Loads assets that are in the cloud through the library.
@Suite(.timeLimit(.minutes(2)))
struct RemoteLoadTests {
  private func events(
    _ manner: PhotoServer.Manner = .good, _ options: ImageRequestOptions, cancels: Bool = false
  ) async throws -> (EventLog, PhotoServer) {
    let shelf = try PhotoShelf([])
    let server = try PhotoServer(["/a.jpg": .init(bytes: PhotoShelf.large, etag: "\"1\"", manner: manner)])
    let original = try RemoteOriginal(entry: Array("\(server.address)/a.jpg".utf8))
    let fetcher = try OriginalFetcher(
      [original.path: original], output: OutputFolder.create(Array(shelf.output.utf8)))
    let loader = PhotoLoader(
      folder: try SourceFolder.open(shelf.source), threads: 1, request: DecodeRequest(thumbnailSizes: [16]),
      timeout: .seconds(600), fetcher: fetcher)
    let log = EventLog(mode: options.deliveryMode)
    let asset = Asset(path: original.path, isInCloud: true)
    await onOwnThread {
      let id = loader.requestImage(for: asset, options: options, resultHandler: log.handler)
      if cancels { loader.cancelImageRequest(id) }
      loader.shutDown()
    }
    #expect(log.endings.value == 1)
    return (log, server)
  }

  @Test func `a fetched original is loaded like any other, and its coming is told in rising fractions`() async throws {
    let fractions = Guarded<[Double]>([])
    let options = ImageRequestOptions(isNetworkAccessAllowed: true) { fraction in
      fractions.withLock { $0.append(fraction) }
    }
    let (log, _) = try await events(options)
    #expect(log.words == ["degraded embedded", "final verified"])
    #expect(log.photos.first?.row.sha256 == SHA256Digest.hex(of: PhotoShelf.large))
    #expect(log.photos.first?.row.modified == nil)
    let told = fractions.withLock { $0 }
    #expect(told.last == 1)
    #expect(told == told.sorted() && told.count > 1)
  }

  private func events(_ options: ImageRequestOptions) async throws -> (EventLog, PhotoServer) {
    try await events(.good, options)
  }

  @Test func `without leave to use the network the ending comes at once and nobody is asked`() async throws {
    let (log, server) = try await events(.silent, ImageRequestOptions())
    #expect(log.words == ["failed network-off"])
    #expect(server.requests.isEmpty)
  }

  @Test func `a request that waits for a server can be cancelled`() async throws {
    let (log, _) = try await events(.silent, ImageRequestOptions(isNetworkAccessAllowed: true), cancels: true)
    #expect(log.words == ["cancelled"])
  }

  @Test func `a request for the fast form only has one event`() async throws {
    let options = ImageRequestOptions(deliveryMode: .fastFormat, isNetworkAccessAllowed: true)
    let (log, _) = try await events(options)
    #expect(log.words == ["degraded embedded"])
  }

  /// Fetches one photo several times with one cache, each time served in the next manner.
  private func fetch(_ manners: [PhotoServer.Manner], total: Duration = .seconds(60)) async throws -> (
    words: [String], requests: [PhotoServer.Request]
  ) {
    let shelf = try PhotoShelf([])
    let server = try PhotoServer([:])
    let original = try RemoteOriginal(entry: Array("\(server.address)/a.jpg".utf8))
    var limits = FetchLimits()
    limits.total = total
    let fetcher = try OriginalFetcher(
      [original.path: original], limits: limits, output: OutputFolder.create(Array(shelf.output.utf8)))
    var words: [String] = []
    for manner in manners {
      server.set("/a.jpg", .init(bytes: PhotoShelf.large, etag: "\"1\"", manner: manner))
      words.append(
        await onOwnThread {
          switch fetcher.obtain(original.path, isNetworkAllowed: true, progress: nil, isCancelled: { false }) {
          case .here(let here):
            defer { fetcher.release(original.path) }
            return "\(here.file.identity.size)"
          case .failed(let failure): return failure.message
          case .cancelled: return "cancelled"
          }
        })
    }
    return (words, server.requests)
  }

  @Test func `what came without a length is never held to be the same as what the server has`() async throws {
    let (words, requests) = try await fetch([.lengthless(after: 1000), .good, .good])
    #expect(words == ["1000", "\(PhotoShelf.large.count)", "\(PhotoShelf.large.count)"])
    #expect(requests.map(\.status) == [200, 200, 304])
    #expect(requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"1\""])
  }

  @Test func `a server that asks to be left alone is asked again, but not when no time is left`() async throws {
    let (words, requests) = try await fetch([.busy(503, seconds: 0)])
    #expect(words == ["\(PhotoShelf.large.count)"])
    #expect(requests.map(\.status) == [503, 200])
    let (late, once) = try await fetch([.busy(429, seconds: 3600)])
    #expect(late == ["the server answers 429"])
    #expect(once.map(\.status) == [429])
  }
}
