import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct PNGRowTests {
  /// Every legal pair of type and depth (PNG 11.2.1).
  static let kinds = [
    (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16), (6, 8),
    (6, 16),
  ]

  private func expectExact(_ png: TinyPNG, step: Int = .max) throws {
    let read = try ReadPicture(png.bytes, step: step)
    #expect(read.fault == nil, "\(png.colorType) \(png.depth): \(read.fault?.message ?? "")")
    #expect(read.header?.width == png.width && read.header?.height == png.height)
    #expect(read.header?.bitDepth == png.depth && read.header?.isProgressive == png.isInterlaced)
    #expect(read.format?.layout == (png.isGray ? .gray : .rgb))
    #expect(read.rows == png.expectedRows, "\(png.colorType) \(png.depth) \(png.width)x\(png.height)")
    #expect(read.notes == [] && read.ending.trailingBytes == 0 && read.ending.warnings == 0)
  }

  @Test(arguments: kinds)
  func `every type and depth gives the pixels of the standard`(type: Int, depth: Int) throws {
    try expectExact(TinyPNG(13, 11, colorType: type, depth: depth))
  }

  @Test(arguments: kinds)
  func `interlaced pictures give the same pixels, however narrow`(type: Int, depth: Int) throws {
    for (width, height) in [(13, 11), (1, 1), (2, 9), (9, 2), (4, 4), (5, 1), (1, 5), (8, 8)] {
      var png = TinyPNG(width, height, colorType: type, depth: depth)
      png.isInterlaced = true
      try expectExact(png)
    }
  }

  @Test(arguments: [(1, 1), (1, 5000), (5000, 1), (3, 1), (1, 3)])
  func `pictures of one line are whole`(width: Int, height: Int) throws {
    try expectExact(TinyPNG(width, height))
    try expectExact(TinyPNG(width, height, colorType: 0, depth: 1))
  }

  @Test(arguments: [(3, 2), (3, 8), (0, 4), (0, 16), (2, 8), (2, 16)])
  func `transparency is laid over white`(type: Int, depth: Int) throws {
    var png = TinyPNG(13, 11, colorType: type, depth: depth)
    if type == 3 {
      png.transparency = [0, 128, 200]
    } else {
      let hidden = (0..<(type == 0 ? 1 : 3)).map { png.sample(4, 5, $0) }
      png.transparency = hidden.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
    try expectExact(png)
    png.isInterlaced = true
    try expectExact(png)
  }

  @Test func `one byte at a time gives the same pixels`() throws {
    for type in [2, 3, 6] {
      var png = TinyPNG(13, 11, colorType: type)
      try expectExact(png, step: 1)
      png.isInterlaced = true
      try expectExact(png, step: 1)
    }
  }

  @Test(
    .enabled(
      if: SharedMaterial.corpus != nil && Program.exists("/usr/bin/pngtopam"),
      "the corpus does not lie beside the project, or pngtopam is not installed"))
  func `rows of the corpus equal those of pngtopam`() async throws {
    var compared = 0
    for photo in try CorpusFiles.rows(format: "png") where photo.decodes == "ok" {
      // pngtopam shows the one colour that its tRNS chunk makes transparent (0, 255, 52) as opaque.
      if photo.name == "png-odd/rgb_trns.png" { continue }
      guard let expected = try await Program.pnm("/usr/bin/pngtopam", ["-alphapam", photo.path], input: nil) else {
        continue
      }
      let read = try ReadPicture(photo.bytes())
      #expect(read.fault == nil, "\(photo.name)")
      // An independent flattening: samples of 8 bits over white.
      guard let flat = expected.overWhite, let format = read.format else { continue }
      let grayAsRGB = format.layout == .gray && flat.channels == 3
      let mine = grayAsRGB ? read.rows.flatMap { [$0, $0, $0] } : read.rows
      let most = zip(mine, flat.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(mine.count == flat.samples.count && most <= (flat.isRounded ? 1 : 0), "\(photo.name): \(most)")
      compared += 1
    }
    #expect(compared > 60, "\(compared)")
  }
}
