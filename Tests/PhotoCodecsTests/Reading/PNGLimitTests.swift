import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct PNGLimitTests {
  private func failure(
    _ width: Int, _ height: Int, depth: Int = 8, type: Int = 6, isInterlaced: Bool = false,
    _ limits: DecodeLimits = DecodeLimits()
  ) throws -> CodecError? {
    var png = TinyPNG(width, height, colorType: type, depth: depth)
    png.isInterlaced = isInterlaced
    return try ReadPicture(png.head + TinyPNG.chunk("IDAT", [0x78, 0x01]), limits: limits).failure
  }

  @Test(arguments: [(200_000, 200_000), (0x7FFF_FFFF, 1), (1, 0x7FFF_FFFF), (0x7FFF_FFFF, 0x7FFF_FFFF)])
  func `a picture larger than the limit is refused by its header`(width: Int, height: Int) throws {
    let failure = try failure(width, height)
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message.contains("\(width * height) pixels, and the limit is 200000000 pixels") == true)
  }

  @Test func `the limit itself is allowed`() throws {
    let limits = DecodeLimits(maxPixels: 100)
    #expect(try ReadPicture(TinyPNG(10, 10).bytes, limits: limits).fault == nil)
    #expect(try ReadPicture(TinyPNG(101, 1).bytes, limits: limits).failure?.code == .tooLarge)
  }

  @Test(arguments: [(1_000_001, 1), (1, 1_000_001)])
  func `a side beyond a million pixels is refused with limit and figure`(width: Int, height: Int) throws {
    let failure = try failure(width, height)
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message == "the picture has a side of 1000001 pixels, and the limit is 1000000 pixels")
    #expect(try self.failure(min(width, 1_000_000), min(height, 1_000_000))?.code == .truncated)
  }

  @Test func `what must be kept whole is held against the memory limit`() throws {
    let limits = DecodeLimits(maxPixels: .max, maxMemory: 1 << 20)
    // One row of 60,000 pixels costs more than a megabyte; the same pixels in a square cost little.
    #expect(try failure(60_000, 1, limits)?.code == .tooLarge)
    #expect(try failure(245, 245, limits)?.code == .truncated)
    #expect(try failure(600, 600, isInterlaced: true, limits)?.code == .tooLarge)
    #expect(try failure(600, 600, limits)?.code == .truncated)
    let message = try failure(0x7FFF_FFFF, 0x7FFF_FFFF, isInterlaced: true, limits)?.message ?? ""
    #expect(message.contains("MiB of memory, and the limit is 1 MiB"), "\(message)")
  }

  private func failure(
    _ width: Int, _ height: Int, isInterlaced: Bool = false, _ limits: DecodeLimits
  ) throws -> CodecError? {
    try failure(width, height, depth: 8, type: 6, isInterlaced: isInterlaced, limits)
  }
}
