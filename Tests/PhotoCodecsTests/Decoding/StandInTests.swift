import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct StandInTests {
  private static let pixels = DecodeRequest(thumbnailSizes: [16], keepsPixels: true)

  @Test func `the embedded picture comes once, before the original`() throws {
    let rig = DecodingRig(DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes), Self.pixels)
    #expect(rig.isWhole && rig.standIns.count == 1)
    let standIn = try #require(rig.standIns.first)
    #expect(standIn.source == .embedded && standIn.width == 40 && standIn.height == 24)
    // Its pixels are the embedded picture's own, and not those of the original.
    let gray = try ReadPicture(TinyJPEG.gray.bytes).rows
    #expect(standIn.pixels?.pixels == gray.flatMap { [$0, $0, $0] })
    #expect(rig.photo.pixels?.pixels != standIn.pixels?.pixels)
  }

  @Test func `it is turned as the original's Exif block says`() {
    let inner = DecodingRig.jpeg(.gray, orientation: 3)
    let rig = DecodingRig(DecodingRig.jpeg(orientation: 6, embedded: inner), Self.pixels)
    #expect(rig.photo.orientation == 6)
    #expect(rig.standIns.first?.width == 24 && rig.standIns.first?.height == 40)
    #expect(rig.standIns.first?.pixels?.width == 24)
  }

  /// The original has 40 x 24: its shape is 5 to 3.
  @Test(arguments: [
    (400, 240, true), (160, 96, true), (404, 240, true), (400, 242, true), (406, 240, false), (400, 244, false),
    (160, 120, false), (24, 40, false), (1, 1, false),
  ])
  func `its shape may differ by one in a hundred`(width: Int, height: Int, isUsed: Bool) throws {
    // A drawing of the size wanted, since a picture whose sizes were changed would be damaged.
    let drawing = SyntheticPictures.texture(width, height, samples: 1)
    let embedded = try #require(drawing.jpeg(quality: 50))
    let rig = DecodingRig(DecodingRig.jpeg(embedded: embedded))
    #expect(rig.isWhole)
    #expect(rig.standIns.map(\.source) == (isUsed ? [.embedded] : []))
  }

  @Test func `a damaged embedded picture is nothing, wherever it is cut`() {
    let whole = TinyJPEG.gray.bytes
    for count in 0..<whole.count {
      let rig = DecodingRig(DecodingRig.jpeg(embedded: Array(whole[..<count])))
      #expect(rig.isWhole && rig.standIns.isEmpty, "cut at \(count)")
    }
    // In a progressive file the first scan takes its place.
    let rig = DecodingRig(DecodingRig.jpeg(.progressive, embedded: Array(whole.dropLast(5))))
    #expect(rig.isWhole && rig.standIns.map(\.source) == [.scan])
  }

  @Test(arguments: [TinyJPEG.progressive, .arithmeticProgressive, .grayProgressive])
  func `the first scan of a progressive picture stands in`(kind: TinyJPEG) throws {
    let rig = DecodingRig(kind.bytes, Self.pixels)
    #expect(rig.isWhole && rig.standIns.map(\.source) == [.scan])
    let standIn = try #require(rig.standIns.first)
    #expect(standIn.width == rig.photo.pixels?.width && standIn.height == rig.photo.pixels?.height)
    // At full size it shows nothing but the mean of each block, so it differs from the original.
    let full = DecodingRig(kind.bytes, DecodeRequest(scale: .full, keepsPixels: true))
    #expect(full.standIns.first?.pixels?.width == 40)
    #expect(full.standIns.first?.pixels?.pixels != full.photo.pixels?.pixels)
    #expect(full.photo.pixels?.pixels == DecodingRig(kind.bytes, withoutStandIn(.full)).photo.pixels?.pixels)
  }

  @Test(arguments: [TinyJPEG.baseline, .restarts, .planes, .arithmetic, .gray, .rgb])
  func `a sequential picture without Exif has none`(kind: TinyJPEG) {
    #expect(DecodingRig(kind.bytes).standIns.isEmpty)
  }

  @Test func `none comes when none is wanted`() {
    for bytes in [TinyJPEG.progressive.bytes, DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes)] {
      let rig = DecodingRig(bytes, withoutStandIn(.scaled))
      #expect(rig.isWhole && rig.standIns.isEmpty)
    }
  }

  @Test func `a first scan that is cut stands in for nothing`() throws {
    let bytes = TinyJPEG.progressive.bytes
    let scans = JPEGSurgery.places(of: 0xDA, in: bytes)
    let inFirst = DecodingRig(Array(bytes[..<(scans[0] + 20)]))
    #expect(inFirst.isDamaged && inFirst.standIns.isEmpty)
    let behindFirst = DecodingRig(Array(bytes[..<(scans[2] + 20)]))
    #expect(behindFirst.isDamaged && behindFirst.standIns.map(\.source) == [.scan])
  }

  private func withoutStandIn(_ scale: DecodeRequest.Scale) -> DecodeRequest {
    DecodeRequest(scale: scale, wantsStandIn: false, keepsPixels: true)
  }

  // MARK: At any price

  private func quickest(_ bytes: [UInt8], keepsPixels: Bool = false) -> StandInPicture? {
    PhotoDecoder().standIn(from: MemoryReading(bytes), limits: DecodeLimits(), keepsPixels: keepsPixels)
  }

  @Test func `at any price the quickest one is made`() throws {
    #expect(quickest(DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes))?.source == .embedded)
    #expect(quickest(TinyJPEG.progressive.bytes)?.source == .scan)
    let small = try #require(quickest(TinyJPEG.baseline.bytes, keepsPixels: true))
    #expect(small.source == .scaled && small.width == 5 && small.height == 3)
    #expect(small.pixels?.width == 5)
    let png = try #require(quickest(TinyPNG(13, 11).bytes, keepsPixels: true))
    #expect(png.source == .scaled && png.width == 13)
    #expect(png.pixels?.pixels == TinyPNG(13, 11).expectedRows)
    #expect(quickest(DecodingRig.jpeg(orientation: 6))?.width == 3)
  }

  @Test func `nothing can be shown of what is no picture`() {
    #expect(quickest([]) == nil)
    #expect(quickest(Array("text".utf8)) == nil)
    #expect(quickest(Array("GIF89a".utf8)) == nil)
    #expect(quickest(Array(TinyJPEG.baseline.bytes.prefix(40))) == nil)
    #expect(quickest(JPEGSurgery.resized(TinyJPEG.baseline.bytes, width: 65_500, height: 65_500)) == nil)
  }

  @Test func `a first scan is enough: the rest is not read`() throws {
    let bytes = TinyJPEG.progressive.bytes
    let reading = WatchedReading(bytes + [UInt8](repeating: 0, count: 1 << 20), step: 64)
    let standIn = PhotoDecoder().standIn(from: reading, limits: DecodeLimits(), keepsPixels: false)
    #expect(standIn?.source == .scan)
    #expect(reading.given < bytes.count)
  }
}
