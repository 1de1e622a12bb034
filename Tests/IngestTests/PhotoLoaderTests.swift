import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct PhotoLoaderTests {
  /// Makes one request and waits for its ending.
  private func events(
    of bytes: [UInt8]?, _ options: ImageRequestOptions = ImageRequestOptions(), isInCloud: Bool = false,
    request: DecodeRequest = DecodeRequest(thumbnailSizes: [16]), timeout: Duration = .seconds(600)
  ) async throws -> EventLog {
    let shelf = try PhotoShelf(bytes.map { [("a.jpg", $0)] } ?? [])
    let loader = try shelf.loader(request, timeout: timeout)
    let log = EventLog(mode: options.deliveryMode)
    await onOwnThread {
      _ = loader.requestImage(
        for: shelf.asset("a.jpg", isInCloud: isInCloud), options: options, resultHandler: log.handler)
      loader.shutDown()
    }
    #expect(log.endings.value == 1)
    return log
  }

  static let kinds: [(String, [UInt8], [String])] = [
    ("with an embedded picture", PhotoShelf.withStandIn, ["degraded embedded", "final verified"]),
    ("progressive", TinyJPEG.progressive.bytes, ["degraded scan", "final verified"]),
    ("sequential", TinyJPEG.baseline.bytes, ["final verified"]),
    ("png", TinyPNG(5, 5).bytes, ["final verified"]),
    ("cut", TinyJPEG.baseline.bytes.dropLast(30), ["failed truncated"]),
    ("cut with an embedded picture", PhotoShelf.withStandIn.dropLast(30), ["degraded embedded", "failed truncated"]),
    ("cut before its picture", Array(TinyJPEG.baseline.bytes.prefix(50)), ["failed truncated"]),
    ("empty", [], ["failed empty"]), ("text", Array("hello".utf8), ["failed not-an-image"]),
    ("gif", Array("GIF89a".utf8), ["failed unsupported"]),
  ]

  @Test(arguments: kinds)
  func `a request hears at most one stand-in, then one ending`(
    name: String, bytes: [UInt8], expected: [String]
  ) async throws {
    let opportunistic = try await events(of: bytes)
    #expect(opportunistic.words == expected, "\(name)")
    // The original only.
    let best = try await events(of: bytes, ImageRequestOptions(deliveryMode: .highQualityFormat))
    #expect(best.words == expected.suffix(1), "\(name)")
    for photo in opportunistic.photos + best.photos {
      #expect(photo.row.sha256 == SHA256Digest.hex(of: bytes), "\(name)")
      #expect(photo.row.bytes == UInt64(bytes.count))
    }
  }

  @Test(arguments: [
    ("with an embedded picture", PhotoShelf.withStandIn, "degraded embedded"),
    ("progressive", TinyJPEG.progressive.bytes, "degraded scan"),
    ("sequential", TinyJPEG.baseline.bytes, "degraded scaled"), ("png", TinyPNG(5, 5).bytes, "degraded scaled"),
    ("text", Array("hello".utf8), "failed corrupt"),
  ])
  func `the fast form is one event, degraded and terminal`(name: String, bytes: [UInt8], word: String) async throws {
    let log = try await events(of: bytes, ImageRequestOptions(deliveryMode: .fastFormat))
    #expect(log.words == [word], "\(name)")
  }

  @Test func `a file that is not there is a failure of its own`() async throws {
    for mode in [DeliveryMode.opportunistic, .highQualityFormat, .fastFormat] {
      #expect(try await events(of: nil, ImageRequestOptions(deliveryMode: mode)).words == ["failed vanished"])
    }
  }

  @Test func `a remote original says why it cannot be had`() async throws {
    let off = try await events(of: PhotoShelf.withStandIn, isInCloud: true)
    #expect(off.words == ["failed network-off"])
    let allowed = ImageRequestOptions(isNetworkAccessAllowed: true)
    #expect(try await events(of: PhotoShelf.withStandIn, allowed, isInCloud: true).words == ["failed fetch-failed"])
  }

  @Test(arguments: [DeliveryMode.opportunistic, .highQualityFormat, .fastFormat])
  func `a photo over its time fails with the limit named`(mode: DeliveryMode) async throws {
    let log = try await events(of: PhotoShelf.large, ImageRequestOptions(deliveryMode: mode), timeout: .zero)
    #expect(log.words == ["failed timeout"])
    #expect(log.failures.first?.message == "the photo took longer than the time limit of 0 seconds")
    #expect(log.photos.allSatisfy { $0.row.sha256 == nil && $0.thumbnails.isEmpty && $0.pixels == nil })
  }

  @Test func `progress rises to one`() async throws {
    for bytes in [PhotoShelf.large, TinyJPEG.baseline.bytes, Array("text".utf8)] {
      let told = Guarded<[Double]>([])
      let options = ImageRequestOptions(progressHandler: { fraction in told.withLock { $0.append(fraction) } })
      _ = try await events(of: bytes, options)
      let fractions = told.withLock { $0 }
      #expect(fractions == fractions.sorted() && Set(fractions).count == fractions.count)
      #expect(fractions.last == 1)
      #expect(fractions.count == (bytes.count > 1 << 20 ? 5 : 1))
    }
  }

  @Test func `what a photo is goes into its row`() async throws {
    let photo = try #require(try await events(of: PhotoShelf.withStandIn).photos.first)
    #expect(photo.row.width == 40 && photo.row.height == 24 && photo.row.format == "jpeg")
    #expect(photo.row.preview == AssetRow.Preview(source: .embedded, width: 40, height: 24))
    #expect(photo.row.verification == AssetRow.Verification(method: .full, trailingBytes: 0, warnings: 0))
    #expect(photo.row.thumbnails.isEmpty, "their places are the run's business")
    #expect(photo.thumbnails.map(\.size) == [16])
    #expect(!photo.isUnstable)
  }

  // MARK: Pixels

  @Test func `a caller gets the picture itself in the size it asks for`() async throws {
    for (size, width) in [(PhotoSize.maximum, 40), (.longSide(20), 20), (.longSide(6), 10)] {
      let log = try await events(of: PhotoShelf.withStandIn, request: DecodeRequest(pixels: size))
      let pixels = try #require(log.photos.first?.pixels)
      #expect(pixels.width == width && pixels.pixels.count == pixels.width * pixels.height * 3)
      #expect(log.previews.first?.pixels?.width == 40)
    }
    let plain = try await events(of: PhotoShelf.withStandIn)
    #expect(plain.photos.first?.pixels == nil && plain.previews.first?.pixels == nil)
  }

  @Test func `a loop over photos gets them in order`() async throws {
    let kinds = TinyJPEG.allCases
    let shelf = try PhotoShelf(kinds.map { ("\($0.rawValue).jpg", $0.bytes) })
    let loader = try shelf.loader(threads: 3, DecodeRequest(pixels: .maximum))
    let collector = Collector(loader: loader, window: 4)
    var widths: [Int?] = []
    for await turn in collector.outcomes(for: kinds.map { shelf.asset("\($0.rawValue).jpg") }) {
      guard case .original(let photo) = turn.outcome else { continue }
      #expect(photo.row.path == RelativePath("\(kinds[turn.index].rawValue).jpg"))
      widths.append(photo.pixels?.width)
    }
    #expect(widths == kinds.map { _ in 40 })
    await onOwnThread { loader.shutDown() }
  }
}
