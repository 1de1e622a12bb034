import IngestCore
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Holds what comes from a decoder process against what comes from this one.
@Suite(.timeLimit(.minutes(1)), .enabled(if: PhotoShelf.hasProcesses, "the program is not built, or with a sanitizer"))
struct ProcessPlaceTests {
  /// Loads all files of the shelf, one after the other, and returns the events of each.
  private func events(
    _ shelf: PhotoShelf, _ names: [String], _ request: DecodeRequest, _ options: ImageRequestOptions,
    timeout: Duration = .seconds(600), place: DecodingPlace
  ) async throws -> [EventLog] {
    let loader = try shelf.loader(request, timeout: timeout, place: place)
    let logs = names.map { _ in EventLog(mode: options.deliveryMode) }
    await onOwnThread {
      for (name, log) in zip(names, logs) {
        _ = loader.requestImage(for: shelf.asset(name), options: options, resultHandler: log.handler)
      }
      loader.shutDown()
    }
    return logs
  }

  @Test(arguments: [
    DecodeRequest(thumbnailSizes: [8, 16]), DecodeRequest(pixels: .maximum), DecodeRequest(pixels: .longSide(6)),
  ])
  func `a photo is the same wherever it was decoded`(request: DecodeRequest) async throws {
    let shelf = try PhotoShelf(PhotoLoaderTests.kinds.map { ($0.0, $0.1) })
    let names = PhotoLoaderTests.kinds.map(\.0) + ["none"]
    for mode in [DeliveryMode.opportunistic, .highQualityFormat, .fastFormat] {
      let options = ImageRequestOptions(deliveryMode: mode)
      let here = try await events(shelf, names, request, options, place: .inProcess)
      let there = try await events(shelf, names, request, options, place: PhotoShelf.processes)
      for (name, (a, b)) in zip(names, zip(here, there)) {
        #expect(a.words == b.words, "\(name)")
        #expect(a.failures == b.failures, "\(name)")
        #expect(a.photos.map(\.row) == b.photos.map(\.row), "\(name)")
        #expect(a.photos.map(\.thumbnails) == b.photos.map(\.thumbnails), "\(name)")
        #expect(a.photos.map(\.pixels) == b.photos.map(\.pixels), "\(name)")
        #expect(a.previews.map(\.pixels) == b.previews.map(\.pixels), "\(name)")
      }
    }
  }

  @Test func `progress comes from there too`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large)])
    let told = Guarded<[Double]>([])
    let options = ImageRequestOptions(progressHandler: { fraction in told.withLock { $0.append(fraction) } })
    _ = try await events(shelf, ["a.jpg"], DecodeRequest(), options, place: PhotoShelf.processes)
    let fractions = told.withLock { $0 }
    #expect(fractions.count == 5 && fractions == fractions.sorted() && fractions.last == 1)
  }

  @Test func `a photo over its time is late and not unstable`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large)])
    let logs = try await events(
      shelf, ["a.jpg", "a.jpg"], DecodeRequest(), ImageRequestOptions(), timeout: .zero, place: PhotoShelf.processes)
    for log in logs {
      #expect(log.words.last == "failed timeout")
      #expect(log.failures.first?.message == "the photo took longer than the time limit of 0 seconds")
    }
  }

  @Test func `a request that is cancelled while it is read hears so`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large), ("b.jpg", TinyJPEG.baseline.bytes)])
    let loader = try shelf.loader(place: PhotoShelf.processes)
    let (isReading, mayGoOn) = (Gate(), Gate())
    let options = ImageRequestOptions(progressHandler: { _ in
      isReading.open()
      mayGoOn.wait()
    })
    let log = EventLog()
    let id = loader.requestImage(for: shelf.asset("a.jpg"), options: options, resultHandler: log.handler)
    _ = loader.requestImage(for: shelf.asset("b.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
    await onOwnThread {
      isReading.wait()
      loader.cancelImageRequest(id)
      mayGoOn.open()
      loader.shutDown()
    }
    #expect(log.words(of: id).last == "cancelled" && !log.words(of: id).contains("final verified"))
    #expect(log.words.last == "final verified")
  }

  @Test func `a program that is no decoder fails its photos and hangs nobody`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.baseline.bytes)])
    for program in ["/nonexistent/program", "/bin/true"] {
      let logs = try await events(
        shelf, ["a.jpg"], DecodeRequest(), ImageRequestOptions(),
        place: .processes(program: program, watch: DecoderWatch(requiresSandbox: false) { _ in }))
      #expect(logs.first?.words == ["failed decoder-crashed"])
    }
  }
}
