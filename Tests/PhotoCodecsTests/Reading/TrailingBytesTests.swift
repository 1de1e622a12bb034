import IngestCore
import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(2)))
struct TrailingBytesTests {
  @Test(arguments: TinyJPEG.allCases, [0, 1, 2, 3, 300_000])
  func `bytes behind a JPEG are counted to the last one`(kind: TinyJPEG, count: Int) throws {
    // The tail looks like markers: none of it may be read as such.
    let tail = (0..<count).map { $0 % 2 == 0 ? UInt8(0xFF) : 0xD8 }
    let read = try ReadPicture(kind.bytes + tail)
    #expect(read.fault == nil)
    #expect(read.ending.trailingBytes == UInt64(count))
    #expect(read.notes == (count > 0 ? ["trailing-data"] : []))
  }

  @Test(arguments: [0, 1, 2, 300_000])
  func `bytes behind a PNG are counted to the last one`(count: Int) throws {
    for isInterlaced in [false, true] {
      var png = TinyPNG(9, 7)
      png.isInterlaced = isInterlaced
      let read = try ReadPicture(png.bytes + [UInt8](repeating: 0x89, count: count))
      #expect(read.fault == nil)
      #expect(read.ending.trailingBytes == UInt64(count))
      #expect(read.notes == (count > 0 ? ["trailing-data"] : []))
    }
  }

  @Test(.enabled(if: SharedMaterial.corpus != nil, "the corpus does not lie beside the project"))
  func `bytes behind every JPEG of the corpus are those that the reference counted`() throws {
    var compared = 0
    for photo in try CorpusFiles.rows(format: "jpeg") where photo.decodes == "ok" {
      guard photo.facts["jpeg"]?["eoi_found"]?.boolValue == true,
        let expected = photo.facts["jpeg"]?["bytes_after_eoi"]?.integerValue
      else { continue }
      let read = try ReadPicture(photo.bytes(), minimumLongSide: 1)
      #expect(read.fault == nil, "\(photo.name)")
      #expect(Int64(read.ending.trailingBytes) == expected, "\(photo.name)")
      compared += 1
    }
    #expect(compared > 140, "\(compared)")
  }
}
