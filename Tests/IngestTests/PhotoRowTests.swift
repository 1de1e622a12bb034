import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct PhotoRowTests {
  @Test(
    arguments: [
      (.jpeg, ["jpg", "jpeg", "jpe", "jfif", "mpo"]), (.png, ["png"]), (.heic, ["heic", "heif", "hif"]),
      (.tiff, ["tif", "tiff", "dng", "nef", "arw", "orf", "pef", "srw"]), (.jp2, ["jp2"]), (.gif, ["gif"]),
      (.cr2, ["cr2"]), (.cr3, ["cr3"]), (.webp, ["webp"]), (.avif, ["avif"]), (.bmp, ["bmp"]), (.jxl, ["jxl"]),
      (.rw2, ["rw2"]), (.raf, ["raf"]),
    ] as [(PhotoFormat, [String])])
  func `a name promises one format`(format: PhotoFormat, names: [String]) {
    let all = PhotoExtensions.all.map { String(decoding: $0, as: UTF8.self) }
    #expect(Set(all.filter { format.agrees(withExtension: Array($0.utf8)) }) == Set(names).intersection(all))
    for name in names { #expect(format.agrees(withExtension: Array(name.utf8))) }
  }

  @Test func `times are written as people say them`() {
    #expect(Duration.seconds(20).secondsText == "20")
    #expect(Duration.milliseconds(500).secondsText == "0.5")
    #expect(Duration.zero.secondsText == "0")
  }

  @Test func `every failure of a codec has a code of its own`() {
    let codes = CodecError.Code.allCases.map { LoadFailure(CodecError($0, "words")).code }
    #expect(Set(codes).count == codes.count)
    #expect(LoadFailure(CodecError(.tooLarge, "words")) == LoadFailure(.tooLarge, "words"))
  }
}
