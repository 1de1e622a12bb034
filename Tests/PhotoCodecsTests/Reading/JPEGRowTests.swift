import IngestCore
import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(5)))
struct JPEGRowTests {
  static let djpeg = "/usr/bin/djpeg"

  @Test(arguments: TinyJPEG.allCases)
  func `every kind of coding is whole`(kind: TinyJPEG) throws {
    let read = try ReadPicture(kind.bytes)
    #expect(read.fault == nil, "\(read.fault?.message ?? "")")
    #expect(read.header?.width == TinyJPEG.width && read.header?.height == TinyJPEG.height)
    #expect(read.header?.isProgressive == kind.rawValue.lowercased().contains("progressive"))
    #expect(read.rowCount == TinyJPEG.height && read.notes == [] && read.ending.warnings == 0)
    #expect(read.format?.layout == (kind.rawValue.hasPrefix("gray") ? .gray : .rgb))
  }

  @Test func `codings of the same coefficients give the same pixels`() throws {
    // All were made of one drawing with one set of tables: only the way the numbers are written differs.
    for (like, others) in [
      (TinyJPEG.baseline, [TinyJPEG.restarts, .planes, .progressive, .arithmetic, .arithmeticProgressive]),
      (.gray, [.grayProgressive]),
    ] {
      let rows = try ReadPicture(like.bytes).rows
      for other in others { #expect(try ReadPicture(other.bytes).rows == rows, "\(other)") }
    }
  }

  /// The long side of the tiny pictures is 40: 5, 10, 20 and 40 pixels at the four scales.
  @Test(
    arguments: [
      (nil, 40), (0, 5), (1, 5), (5, 5), (6, 10), (10, 10), (11, 20), (20, 20), (21, 40), (40, 40), (9000, 40),
    ] as [(Int?, Int)])
  func `the smallest scale that is large enough is taken`(minimum: Int?, side: Int) throws {
    for kind in TinyJPEG.allCases {
      let read = try ReadPicture(kind.bytes, minimumLongSide: minimum)
      #expect(read.format?.width == side)
      #expect(read.format?.isFullScale == (side == 40))
      #expect(read.fault == nil)
      #expect(read.rows.count == (read.format?.height ?? 0) * (read.format?.rowBytes ?? 0))
    }
  }

  @Test func `a scale rounds up, so a side that is no multiple of eight is not lost`() throws {
    let odd = JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 33, height: 17)
    // 33 x 1/8 is 4.125 and gives 5: enough for 5, and not for 6.
    #expect(try ReadPicture(odd, minimumLongSide: 5).format?.width == 5)
    #expect(try ReadPicture(odd, minimumLongSide: 5).format?.height == 3)
    #expect(try ReadPicture(odd, minimumLongSide: 6).format?.width == 9)
  }

  @Test(arguments: TinyJPEG.allCases)
  func `one byte at a time gives the same pixels and verdict`(kind: TinyJPEG) throws {
    let bytes = kind.bytes + Array("tail".utf8)
    let whole = try ReadPicture(bytes)
    let dripped = try ReadPicture(bytes, step: 1)
    #expect(dripped.rows == whole.rows && dripped.notes == whole.notes)
    #expect(dripped.fault == nil && whole.fault == nil)
    #expect(dripped.ending.trailingBytes == 4 && whole.ending.trailingBytes == 4)
  }

  @Test(
    .enabled(
      if: SharedMaterial.corpus != nil && Program.exists(djpeg),
      "the corpus does not lie beside the project, or djpeg is not installed"), arguments: [1, 2, 4, 8])
  func `rows of the corpus equal those of djpeg`(eighths: Int) async throws {
    var compared = 0
    for photo in try CorpusFiles.rows(format: "jpeg") where photo.decodes == "ok" {
      let bytes = try photo.bytes()
      // The large ones take long in a debug build and show nothing that the others do not.
      guard bytes.count < 700_000 else { continue }
      guard let width = photo.facts["width"]?.integerValue, let height = photo.facts["height"]?.integerValue else {
        continue
      }
      let long = Int(max(width, height))
      let wanted = (long * eighths + 7) / 8
      let read = try ReadPicture(bytes, minimumLongSide: eighths == 8 ? nil : wanted)
      guard let format = read.format, format.layout != .cmyk, max(format.width, format.height) == wanted else {
        continue
      }
      let expected = try await Program.pnm(
        Self.djpeg, ["-scale", "\(eighths)/8", "-dct", "int", "-pnm", photo.path], input: nil)
      #expect(read.fault == nil, "\(photo.name)")
      #expect(expected?.width == format.width && expected?.height == format.height, "\(photo.name)")
      let isSame = expected?.samples == read.rows
      #expect(isSame, "\(photo.name) at \(eighths)/8")
      compared += 1
    }
    #expect(compared > 100, "\(compared)")
  }
}
