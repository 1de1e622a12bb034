import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Every test steers its loader from a thread of its own: one that waited for a turn of the task pool would hold a photo
/// for as long as other tests keep that busy.
@Suite(.timeLimit(.minutes(1)))
struct PhotoLoaderCancelTests {
  /// Options of a request that stops at its first piece until the test lets it go on.
  private func held(_ isReading: Gate, until mayGoOn: Gate) -> ImageRequestOptions {
    ImageRequestOptions(progressHandler: { _ in
      isReading.open()
      mayGoOn.wait()
    })
  }

  @Test func `a running request that is cancelled hears so, and nothing else`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large)])
    let loader = try shelf.loader()
    let (isReading, mayGoOn) = (Gate(), Gate())
    let log = EventLog()
    let id = loader.requestImage(
      for: shelf.asset("a.jpg"), options: held(isReading, until: mayGoOn), resultHandler: log.handler)
    await onOwnThread {
      isReading.wait()
      loader.cancelImageRequest(id)
      loader.cancelImageRequest(id)
      mayGoOn.open()
      loader.shutDown()
    }
    #expect(log.words == ["cancelled"])
  }

  @Test func `a queued request that is cancelled is never begun`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large), ("b.jpg", PhotoShelf.withStandIn)])
    let loader = try shelf.loader()
    let (isReading, mayGoOn) = (Gate(), Gate())
    let log = EventLog()
    let readings = Count()
    let (first, second, third) = await onOwnThread {
      let first = loader.requestImage(
        for: shelf.asset("a.jpg"), options: held(isReading, until: mayGoOn), resultHandler: log.handler)
      let second = loader.requestImage(
        for: shelf.asset("b.jpg"), options: ImageRequestOptions(progressHandler: { _ in readings.add() }),
        resultHandler: log.handler)
      let third = loader.requestImage(
        for: shelf.asset("b.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
      isReading.wait()
      loader.cancelImageRequest(second)
      mayGoOn.open()
      loader.shutDown()
      return (first, second, third)
    }
    #expect(Set([first, second, third]).count == 3 && readings.value == 0)
    #expect(log.words(of: first) == ["degraded embedded", "final verified"])
    #expect(log.words(of: second) == ["cancelled"])
    #expect(log.words(of: third) == ["degraded embedded", "final verified"])
  }

  @Test func `a cancel after the ending, or of a request that never was, does nothing`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.baseline.bytes)])
    let loader = try shelf.loader()
    let log = EventLog()
    let id = loader.requestImage(for: shelf.asset("a.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
    await onOwnThread {
      log.endings.gate(at: 1).wait()
      loader.cancelImageRequest(id)
      loader.cancelImageRequest(ImageRequestID(77))
      loader.shutDown()
    }
    #expect(log.words == ["final verified"])
  }

  @Test func `a loader that is shut down finishes what was asked for`() async throws {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large), ("b.jpg", PhotoShelf.withStandIn)])
    let loader = try shelf.loader(threads: 2)
    let (isReading, mayGoOn) = (Gate(), Gate())
    let log = EventLog()
    _ = loader.requestImage(
      for: shelf.asset("a.jpg"), options: held(isReading, until: mayGoOn), resultHandler: log.handler)
    for _ in 0..<20 {
      _ = loader.requestImage(for: shelf.asset("b.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
    }
    await onOwnThread {
      isReading.wait()
      mayGoOn.open()
      loader.shutDown()
    }
    #expect(log.endings.value == 21)
    #expect(log.words.filter { $0 == "final verified" }.count == 21)
  }

  @Test func `a collector's stop reaches the photo in hand and all behind it`() async throws {
    let shelf = try PhotoShelf((0..<6).map { ("\($0).jpg", PhotoShelf.large) })
    let loader = try shelf.loader()
    let (isReading, mayGoOn) = (Gate(), Gate())
    let control = CollectionControl()
    async let outcomes = onOwnThread {
      var words: [String] = []
      let collector = Collector(loader: loader, window: 3, options: held(isReading, until: mayGoOn))
      let report = collector.collect((0..<6).map { shelf.asset("\($0).jpg") }, control: control) { turn in
        if case .cancelled = turn.outcome { words.append("cancelled") } else { words.append("other") }
      }
      return (words, report.abandoned)
    }
    await onOwnThread {
      isReading.wait()
      control.cancel()
      mayGoOn.open()
    }
    let (words, abandoned) = await outcomes
    // How many were begun behind the one in hand depends on who was quicker; none has another ending.
    #expect((1...3).contains(words.count) && Set(words) == ["cancelled"] && abandoned == 0)
    await onOwnThread { loader.shutDown() }
  }
}
