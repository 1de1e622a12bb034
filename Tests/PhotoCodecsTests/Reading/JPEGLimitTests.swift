import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct JPEGLimitTests {
  @Test func `the largest side that JPEG libraries take is taken`() throws {
    // The rest of the rows is missing; what counts is that they are all there to read.
    let wide = try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 65_500, height: 8))
    #expect(wide.header?.width == 65_500 && wide.rowCount == 8)
    #expect(wide.fault?.code == .corrupt || wide.fault?.code == .truncated)
    let high = try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 8, height: 65_500))
    #expect(high.header?.height == 65_500 && high.rowCount == 65_500)
  }

  @Test(arguments: [(65_501, 8), (8, 65_535)])
  func `a side beyond it is refused`(width: Int, height: Int) throws {
    let failure = try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: width, height: height)).failure
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message.contains("65500") == true, "\(failure?.message ?? "")")
  }

  @Test func `pixels are held against the limit by the header`() throws {
    let failure = try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 65_500, height: 65_500)).failure
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message == "the picture has 4290250000 pixels, and the limit is 200000000 pixels")
    let exact = DecodeLimits(maxPixels: 960)
    #expect(try ReadPicture(TinyJPEG.baseline.bytes, limits: exact).fault == nil)
    #expect(try ReadPicture(TinyJPEG.baseline.bytes, limits: DecodeLimits(maxPixels: 959)).failure?.code == .tooLarge)
  }

  @Test(arguments: [TinyJPEG.progressive, .planes, .arithmeticProgressive])
  func `coefficients of several scans are held against the memory limit`(kind: TinyJPEG) throws {
    let large = JPEGSurgery.resized(kind.bytes, width: 12_000, height: 12_000)
    let failure = try ReadPicture(large).failure
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message.contains("MiB of memory, and the limit is 256 MiB") == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [TinyJPEG.baseline, .restarts, .arithmetic, .rgb])
  func `one scan needs no more memory than a few rows`(kind: TinyJPEG) throws {
    let large = JPEGSurgery.resized(kind.bytes, width: 6000, height: 6000)
    let read = try ReadPicture(large, minimumLongSide: 1, limits: DecodeLimits(maxMemory: 8 << 20))
    #expect(read.failure == nil && read.rowCount == 750)
  }
}
