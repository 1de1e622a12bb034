import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct VerdictTests {
  static let pictures: [(String, [UInt8])] =
    TinyJPEG.allCases.map { ($0.rawValue, $0.bytes) }
    + [("with Exif", DecodingRig.jpeg(orientation: 6, embedded: TinyJPEG.gray.bytes))]
    + [false, true].map { isInterlaced in
      var png = TinyPNG(13, 11, colorType: 6)
      png.isInterlaced = isInterlaced
      png.chunksAfter = [TinyPNG.chunk("eXIf", TinyExif.block(orientation: 8))]
      return ("png \(isInterlaced)", png.bytes)
    }

  @Test(arguments: pictures)
  func `no prefix of a picture is whole`(name: String, bytes: [UInt8]) {
    for cut in 0..<bytes.count {
      let rig = DecodingRig(Array(bytes[..<cut]))
      #expect(!rig.isWhole, "\(name) cut at \(cut)")
      #expect(rig.isFailed == rig.photo.thumbnails.isEmpty, "\(name) cut at \(cut)")
    }
    #expect(DecodingRig(bytes).isWhole)
    #expect(DecodingRig(bytes + [0]).isWhole)
  }

  @Test(arguments: pictures)
  func `one byte at a time gives the same photo`(name: String, bytes: [UInt8]) {
    let request = DecodeRequest(thumbnailSizes: [16, 8], keepsPixels: true)
    for cut in [bytes.count, bytes.count - 2, bytes.count * 3 / 4, bytes.count / 2] {
      let part = Array(bytes[..<cut]) + (cut == bytes.count ? Array("tail".utf8) : [])
      let whole = DecodingRig(part, request)
      let dripped = DecodingRig(part, request, step: 1)
      #expect(whole.photo.verdict == dripped.photo.verdict, "\(name) cut at \(cut)")
      #expect(whole.photo.thumbnails == dripped.photo.thumbnails && whole.photo.pixels == dripped.photo.pixels)
      #expect(whole.photo.notes == dripped.photo.notes && whole.photo.warnings == dripped.photo.warnings)
      #expect(whole.photo.trailingBytes == dripped.photo.trailingBytes)
      #expect(whole.standIns == dripped.standIns)
    }
  }

  @Test(
    .enabled(if: SharedMaterial.corpus != nil, "the corpus does not lie beside the project"))
  func `one byte at a time gives the same for files of the corpus`() throws {
    var compared = 0
    for format in ["jpeg", "png"] {
      for photo in try CorpusFiles.rows(format: format) {
        let bytes = try photo.bytes()
        guard bytes.count < 12_000 else { continue }
        let whole = DecodingRig(bytes)
        let dripped = DecodingRig(bytes, step: 1)
        #expect(whole.photo.verdict == dripped.photo.verdict, "\(photo.name)")
        #expect(whole.photo.thumbnails == dripped.photo.thumbnails, "\(photo.name)")
        #expect(whole.photo.notes == dripped.photo.notes, "\(photo.name)")
        compared += 1
      }
    }
    #expect(compared > 90, "\(compared)")
  }

  @Test func `what is no photo is refused by name`() {
    let empty = DecodingRig([])
    #expect(empty.isFailed && empty.error?.code == .empty && empty.photo.format == nil)
    let text = DecodingRig(Array("hello".utf8))
    #expect(text.isFailed && text.error?.code == .notAnImage && text.photo.format == nil)
    let gif = DecodingRig(Array("GIF89a".utf8))
    #expect(gif.isFailed && gif.error?.code == .unsupported && gif.photo.format == .gif)
    #expect(gif.error?.message == "GIF pictures are not decoded")
  }

  @Test func `the pictures' own limits are failures and not damage`() {
    let large = JPEGSurgery.resized(TinyJPEG.baseline.bytes, width: 65_500, height: 65_500)
    #expect(DecodingRig(large).isFailed && DecodingRig(large).error?.code == .tooLarge)
    var request = DecodeRequest(thumbnailSizes: [16])
    request.limits.maxScans = 5
    let scans = DecodingRig(TinyJPEG.progressive.bytes, request)
    #expect(scans.isFailed && scans.error?.code == .tooLarge && scans.photo.thumbnails.isEmpty)
  }

  @Test func `facts behind the picture's data are facts all the same`() {
    let bytes = TinyJPEG.baseline.bytes
    let late = bytes.dropLast(2) + JPEGSurgery.exif(TinyExif.block(orientation: 6)) + bytes.suffix(2)
    let rig = DecodingRig(Array(late), DecodeRequest(thumbnailSizes: [16]))
    #expect(rig.isWhole && rig.photo.orientation == 6)
    #expect(rig.photo.thumbnails.first?.height == 16 && rig.photo.thumbnails.first?.width == 10)
  }
}
