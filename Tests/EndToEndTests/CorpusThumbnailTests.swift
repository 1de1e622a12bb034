import Foundation
import IngestCore
import IngestTestSupport
import PhotoCodecs
import Testing

/// Holds the thumbnails of the corpus against the reference grids: the mean colour of sixteen cells.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: SharedMaterial.isAvailable, "the shared corpus is not beside the project"))
struct CorpusThumbnailTests {
  @Test func `thumbnails look as the reference says, upright and in sRGB`() throws {
    let run = try SharedRun.corpus.get()
    var compared = 0
    for photo in Corpus.photos {
      guard let cells = photo["grid4x4"]?.arrayValue else { continue }
      let expected = cells.map { ($0.arrayValue ?? []).compactMap(\.doubleValue) }
      let grid = try run.grid(photo.path)
      let differences = zip(grid, expected).flatMap { zip($0, $1).map { abs($0 - $1) } }
      try #require(differences.count == 48, "\(photo.path)")
      let mean = differences.reduce(0, +) / 48
      #expect(differences.max() ?? 255 <= 8 && mean <= 2.5, "\(photo.path): \(differences.max() ?? 0) \(mean)")
      compared += 1
    }
    #expect(compared > 100)
  }
}

/// Measures the mean colour of the sixteen cells of a JPEG.
struct ThumbnailGrid {
  let cells: [[Double]]

  init(file: String) throws {
    let bytes = try #require(FileManager.default.contents(atPath: file))
    let photo = PhotoDecoder().decode(
      from: MemoryReading([UInt8](bytes)), request: DecodeRequest(scale: .full, wantsStandIn: false, keepsPixels: true))
    let pixels = try #require(photo.pixels)
    var cells: [[Double]] = []
    for row in 0..<4 {
      for column in 0..<4 {
        var sum = [0.0, 0.0, 0.0]
        var count = 0.0
        for y in (row * pixels.height / 4)..<max((row + 1) * pixels.height / 4, row * pixels.height / 4 + 1) {
          for x in (column * pixels.width / 4)..<max((column + 1) * pixels.width / 4, column * pixels.width / 4 + 1) {
            let at = (y * pixels.width + x) * 3
            for channel in 0..<3 { sum[channel] += Double(pixels.pixels[at + channel]) }
            count += 1
          }
        }
        cells.append(sum.map { $0 / count })
      }
    }
    self.cells = cells
  }
}
