import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct WholeReadTests {
  private static let tail = [UInt8](repeating: 0x55, count: 700_000)

  static let files: [(String, [UInt8])] = [
    ("jpeg", TinyJPEG.baseline.bytes), ("progressive", TinyJPEG.progressive.bytes), ("png", TinyPNG(5, 5).bytes),
    ("text", Array("no picture".utf8)), ("gif", Array("GIF89a".utf8)), ("heic", Array("\0\0\0\u{c}ftypheic".utf8)),
    ("cut header", Array(TinyJPEG.baseline.bytes.prefix(100))),
    ("too large", JPEGSurgery.resized(TinyJPEG.baseline.bytes, width: 65_500, height: 65_500)),
    ("two components", [0xFF, 0xD8, 0xFF, 0xC0, 0, 14, 8, 0, 8, 0, 8, 2, 1, 0x11, 0, 2, 0x11, 0, 0xFF, 0xD9]),
    ("unknown critical chunk", Array(TinyPNG(5, 5).head) + TinyPNG.chunk("NEWw", [])),
    ("CgBI", Array(TinyPNG(1, 1).head.prefix(8)) + TinyPNG.chunk("CgBI", [0x50, 0, 0x20, 6])),
    ("corrupt data", TinyPNG(5, 5).head + TinyPNG.chunk("IDAT", [1, 2, 3, 4])),
  ]

  @Test(arguments: files, [1, 4096, Int.max])
  func `every byte is asked for, also behind the picture and of what is refused`(
    file: (name: String, bytes: [UInt8]), step: Int
  ) {
    // One byte at a time is slow, so its tail is shorter.
    let bytes = file.bytes + Self.tail.prefix(step == 1 ? 20_000 : .max)
    let reading = WatchedReading(bytes, step: step)
    _ = DecodingRig(reading, DecodeRequest(thumbnailSizes: [16]))
    #expect(reading.given == bytes.count, "\(file.name)")
    #expect(reading.endsTold == 1, "\(file.name): never called again after zero")
  }

  @Test func `an empty file is asked once`() {
    let reading = WatchedReading([])
    _ = DecodingRig(reading, DecodeRequest())
    #expect(reading.endsTold == 1)
  }

  // MARK: Giving up

  @Test(arguments: files)
  func `a load given up is called so, wherever it was`(name: String, bytes: [UInt8]) {
    let bytes = bytes + Self.tail
    for place in [1, 64, 65, bytes.count - Self.tail.count, bytes.count - 1] {
      let cancellation = Cancellation()
      let reading = WatchedReading(bytes, step: 64) { given in if given >= place { cancellation.cancel() } }
      let rig = DecodingRig(reading, DecodeRequest(thumbnailSizes: [16], keepsPixels: true), cancellation: cancellation)
      #expect(rig.isFailed && rig.error?.code == .cancelled, "\(name) at \(place)")
      #expect(rig.photo.thumbnails.isEmpty && rig.photo.pixels == nil, "\(name) at \(place)")
      #expect(reading.given < place + 64, "\(name) at \(place): it went on to \(reading.given)")
    }
  }

  @Test func `a load given up before it began reads nothing`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let reading = WatchedReading(TinyJPEG.baseline.bytes)
    #expect(DecodingRig(reading, DecodeRequest(), cancellation: cancellation).error?.code == .cancelled)
    #expect(reading.given == 0 && reading.endsTold == 0)
  }

  @Test func `a time limit reaches into a decode`() {
    let cancellation = Cancellation()
    let reading = WatchedReading(TinyJPEG.progressive.bytes, step: 64) { given in
      if given > 300 { cancellation.setTimeLimit(.zero) }
    }
    let rig = DecodingRig(reading, DecodeRequest(thumbnailSizes: [16]), cancellation: cancellation)
    #expect(rig.isFailed && rig.error?.code == .cancelled && cancellation.isLate)
  }

  @Test func `another thread ends a decode that waits for bytes`() async {
    let (isReading, mayGoOn) = (Gate(), Gate())
    let cancellation = Cancellation()
    async let ended = onOwnThread {
      let bytes = TinyJPEG.progressive.bytes
      let reading = WatchedReading(bytes, step: 64) { given in
        if given > 300 {
          isReading.open()
          mayGoOn.wait()
        }
      }
      let rig = DecodingRig(reading, DecodeRequest(thumbnailSizes: [16]), cancellation: cancellation)
      return (rig.error?.code, reading.given < bytes.count)
    }
    await isReading.passed()
    cancellation.cancel()
    mayGoOn.open()
    let (code, stopped) = await ended
    #expect(code == .cancelled && stopped)
  }

  @Test func `a cancel when all was read takes nothing back`() {
    let cancellation = Cancellation()
    let bytes = TinyJPEG.baseline.bytes
    let reading = WatchedReading(bytes)
    let rig = DecodingRig(reading, DecodeRequest(), cancellation: cancellation)
    cancellation.cancel()
    #expect(rig.isWhole)
  }
}
