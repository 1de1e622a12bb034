import Foundation
import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct ColourConversionTests {
  private func convert(
    _ samples: [UInt8], _ layout: RowLayout, _ colour: SourceColour
  ) -> (samples: [UInt8], notes: Set<String>) {
    let count = layout.samplesPerPixel
    let raster = Raster(width: samples.count / count, height: 1, samplesPerPixel: count, bytes: samples)
    let (converted, notes) = ColourConverter().convert(raster, layout: layout, colour: colour)
    return (converted.bytes, notes)
  }

  @Test func `the red of Display P3 becomes the red of sRGB`() {  // D3
    let (samples, notes) = convert([234, 51, 35], .rgb, SourceColour(icc: SyntheticProfile.displayP3))
    #expect(samples == [255, 0, 0])
    #expect(notes == [])
  }

  @Test(.enabled(if: SharedMaterial.isAvailable, "the shared fixtures are not beside the project"))
  func `the Display P3 fixture's profile gives pure red`() throws {  // D3
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: SharedMaterial.fixture("p3_red.jpg"))))
    let icc = try #require(JPEGOutline(bytes)?.icc)
    #expect(convert([234, 51, 35], .rgb, SourceColour(icc: icc)).samples == [255, 0, 0])
  }

  @Test(.enabled(if: SharedMaterial.corpus != nil, "the shared corpus is not beside the project"))
  func `profiles made of tables are applied, for inks and for RGB`() throws {
    func profile(_ name: String) throws -> [UInt8] {
      let path = "\(try #require(SharedMaterial.corpus))/jpeg-odd/\(name)"
      return try #require(JPEGOutline([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))?.icc)
    }
    let swop = SourceColour(icc: try profile("YCCK_multiple_ICC_segments.jpg"))
    let (paper, paperNotes) = convert([0, 0, 0, 0], .cmyk, swop)
    #expect(paper.allSatisfy { $0 >= 253 } && paperNotes == [])
    // Printed cyan is far from (0, 255, 255), which the plain formula would give.
    let cyan = convert([255, 0, 0, 0], .cmyk, swop).samples
    #expect(cyan[0] < 20 && (140...190).contains(cyan[1]) && (210...250).contains(cyan[2]))

    let (samples, notes) = convert([60, 120, 180], .rgb, SourceColour(icc: try profile("icc_profile_big.jpg")))
    #expect(samples != [60, 120, 180] && notes == [])
  }

  @Test func `an sRGB profile leaves every byte alone`() {
    let samples = (0..<768).map { UInt8($0 * 7 % 256) }
    let (converted, notes) = convert(samples, .rgb, SourceColour(icc: SyntheticProfile.sRGB))
    #expect(converted == samples)
    #expect(notes == [])
  }

  @Test(arguments: [
    (RowLayout.gray, SyntheticProfile.displayP3), (.cmyk, SyntheticProfile.displayP3),
    (.rgb, SyntheticProfile.gray(gamma: 1.8)), (.rgb, []), (.rgb, Array("not a profile".utf8)),
    (.gray, Array(repeating: 0xFF, count: 4000)), (.rgb, Array(SyntheticProfile.displayP3.prefix(200))),
    (.rgb, Array(SyntheticProfile.displayP3.prefix(127))),
    (.rgb, SyntheticProfile.profile(space: "RGB ", tags: [("desc", SyntheticProfile.ascii("empty"))])),
  ])
  func `a profile that does not fit or cannot be read is ignored with a note`(  // D4
    row: (layout: RowLayout, icc: [UInt8])
  ) {
    let grays: [UInt8] = row.layout == .cmyk ? [0, 0, 0, 55] : Array(repeating: 200, count: row.layout.samplesPerPixel)
    let (samples, notes) = convert(grays, row.layout, SourceColour(icc: row.icc))
    #expect(samples.allSatisfy { $0 == 200 })
    #expect(notes == ["profile-ignored"])
  }

  @Test func `a profile beyond the limit is not even tried`() {
    let padded = SyntheticProfile.displayP3 + [UInt8](repeating: 0, count: ColourConverter.largestProfile)
    let (samples, notes) = convert([234, 51, 35], .rgb, SourceColour(icc: padded))
    #expect(samples == [234, 51, 35])
    #expect(notes == ["profile-ignored"])
  }

  @Test(arguments: 0..<400)
  func `a spoiled profile never does more harm than to be ignored`(seed: Int) {
    var icc = SyntheticProfile.displayP3
    var state = UInt32(seed) &* 2_654_435_761 | 1
    for _ in 0..<6 {
      state = state &* 1_664_525 &+ 1_013_904_223
      icc[Int(state >> 8) % icc.count] = UInt8(state >> 24)
    }
    #expect(convert([234, 51, 35, 0, 255, 9], .rgb, SourceColour(icc: icc)).samples.count == 6)
    _ = ColourProfile.description(of: icc)
  }

  @Test(arguments: [
    ([UInt8(255), 0, 0, 0], [UInt8(0), 255, 255]), ([0, 255, 0, 0], [255, 0, 255]), ([0, 0, 0, 255], [0, 0, 0]),
    ([0, 0, 0, 0], [255, 255, 255]), ([0, 0, 0, 127], [128, 128, 128]), ([128, 128, 0, 128], [63, 63, 127]),
  ])
  func `inks without a profile follow the plain formula`(row: (inks: [UInt8], light: [UInt8])) {  // D1
    #expect(convert(row.inks, .cmyk, SourceColour()).samples == row.light)
  }

  @Test func `a gray profile gives other grays and stays gray`() {
    let samples: [UInt8] = [0, 64, 128, 255]
    let (converted, notes) = convert(samples, .gray, SourceColour(icc: SyntheticProfile.gray(gamma: 1)))
    #expect(converted.count == 4)
    for (sample, gray) in zip(samples, converted) { #expect(abs(Int(gray) - sRGB(Double(sample) / 255)) <= 1) }
    #expect(notes == [])
  }

  @Test func `a converter that has seen another profile is not misled`() {
    let converter = ColourConverter()
    let red = Raster(width: 1, height: 1, samplesPerPixel: 3, bytes: [234, 51, 35])
    for _ in 0..<3 {
      #expect(
        converter.convert(red, layout: .rgb, colour: SourceColour(icc: SyntheticProfile.displayP3)).0.bytes
          == [255, 0, 0])
      #expect(converter.convert(red, layout: .rgb, colour: SourceColour()).0.bytes == [234, 51, 35])
    }
  }

  /// Light from 0 through 1 as an sRGB sample.
  private func sRGB(_ light: Double) -> Int {
    Int(((light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
  }

  @Test(arguments: [1.0, 0.5, 0.35, 0.7])
  func `a PNG's gamma is applied`(gamma: Double) {
    let samples: [UInt8] = [0, 60, 128, 200, 255]
    let expected = samples.map { sRGB(pow(Double($0) / 255, 1 / gamma)) }
    let gray = convert(samples, .gray, SourceColour(pngGamma: gamma)).samples
    #expect(zip(gray, expected).allSatisfy { abs(Int($0) - $1) <= 1 })
    #expect(gray.count == samples.count)
    let rgb = convert(samples.flatMap { [$0, $0, $0] }, .rgb, SourceColour(pngGamma: gamma)).samples
    #expect(zip(rgb, expected.flatMap { [$0, $0, $0] }).allSatisfy { abs(Int($0) - $1) <= 1 })
  }

  private static let usual = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

  @Test(arguments: [
    SourceColour(pngGamma: 0.45455), SourceColour(pngGamma: 0.45455, pngChromaticities: usual),
    SourceColour(pngGamma: 1, pngChromaticities: usual, hasSRGBChunk: true), SourceColour(pngChromaticities: usual),
    SourceColour(icc: SyntheticProfile.sRGB, pngGamma: 1),
  ])
  func `what amounts to sRGB changes nothing`(colour: SourceColour) {
    let (samples, notes) = convert([10, 100, 200], .rgb, colour)
    #expect(samples == [10, 100, 200])
    #expect(notes == [])
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-9, 1e9, -.infinity])
  func `a senseless gamma is ignored with a note`(gamma: Double) {
    let (samples, notes) = convert([10, 100, 200], .rgb, SourceColour(pngGamma: gamma))
    #expect(samples == [10, 100, 200])
    #expect(notes == ["profile-ignored"])
  }

  @Test(arguments: [
    [], [0.3, 0.3], Array(repeating: 0, count: 8), Array(repeating: 0.33, count: 8),
    [0.3127, 0.329, .nan, 0.33, 0.3, 0.6, 0.15, 0.06], [0.3127, 0, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
    [0.3127, 0.329, -0.64, 0.33, 0.3, 0.6, 0.15, 0.06], [0.3127, 0.329, 64, 33, 30, 60, 15, 6],
    [0.7, 0.1, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
  ])
  func `senseless primaries are ignored with a note, and the gamma still counts`(primaries: [Double]) {
    let colour = SourceColour(pngGamma: 1, pngChromaticities: primaries)
    let (samples, notes) = convert([128, 128, 128], .rgb, colour)
    #expect(samples.allSatisfy { abs(Int($0) - 188) <= 1 })
    #expect(notes == ["profile-ignored"])
  }

  @Test func `a PNG's primaries are applied`() {
    let p3 = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
    let (samples, notes) = convert([234, 51, 35], .rgb, SourceColour(pngGamma: 0.45455, pngChromaticities: p3))
    #expect(samples[0] >= 254 && samples[1] <= 20 && samples[2] <= 20)
    #expect(notes == [])
  }

  @Test func `a broken profile gives way to what else the PNG says`() {
    let colour = SourceColour(icc: [1, 2, 3], pngGamma: 1)
    let (samples, notes) = convert([128, 128, 128], .rgb, colour)
    #expect(samples.allSatisfy { abs(Int($0) - 188) <= 1 })
    #expect(notes == ["profile-ignored"])
  }
}
