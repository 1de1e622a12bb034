import IngestCore
import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct ReaderCancellationTests {
  /// Gives a picture piece by piece and cancels when a place is passed.
  private final class CancellingReading: ByteReading {
    let inner: MemoryReading
    let place: Int
    let cancellation: Cancellation
    var given = 0
    var readsAfter = 0

    init(_ bytes: [UInt8], at place: Int, _ cancellation: Cancellation) {
      inner = MemoryReading(bytes, step: 16)
      self.place = place
      self.cancellation = cancellation
    }

    func read(into buffer: inout MutableRawSpan) -> Int {
      if cancellation.isCancelled { readsAfter += 1 }
      let count = inner.read(into: &buffer)
      given += count
      if given >= place { cancellation.cancel() }
      return count
    }
  }

  static let pictures: [(String, [UInt8])] =
    TinyJPEG.allCases.map { ($0.rawValue, $0.bytes) }
    + [false, true].map { isInterlaced in
      var png = TinyPNG(13, 11)
      png.isInterlaced = isInterlaced
      return ("png \(isInterlaced)", png.bytes)
    }

  @Test(arguments: pictures)
  func `a cancel at any place ends the read there, and is told as such`(name: String, bytes: [UInt8]) throws {
    // The first 64 bytes are read to know the format, and the last 16 may be all that was needed: there a cancel is
    // the decoder's business.
    for place in stride(from: 65, to: bytes.count - 16, by: 7) {
      let cancellation = Cancellation()
      let reading = CancellingReading(bytes, at: place, cancellation)
      let read = try ReadPicture(
        [], wantsStandIn: true, cancellation: cancellation, reading: reading)
      #expect(read.fault?.code == .cancelled, "\(name) at \(place): \(read.fault?.message ?? "whole")")
      #expect(reading.readsAfter == 0, "\(name) at \(place)")
    }
  }

  @Test(arguments: [false, true])
  func `a cancel between rows ends a PNG whose bytes are all at hand`(isInterlaced: Bool) throws {
    var png = TinyPNG(200, 200)
    png.isInterlaced = isInterlaced
    let cancellation = Cancellation()
    let source = ByteSource(MemoryReading(png.bytes), cancellation: cancellation)
    let reader = try #require(PNGReader(source, limits: DecodeLimits()))
    _ = try reader.readHeader()
    let format = try reader.begin(minimumLongSide: nil)
    var taken = 0
    #expect {
      _ = try unsafe reader.readRows(format) { _, count in
        taken += count
        cancellation.cancel()
      }
    } throws: { ($0 as? CodecError)?.code == .cancelled }
    #expect(taken > 0 && taken < 200)
    #expect(reader.finish().damage?.code == .cancelled)
  }

  @Test func `a time limit ends a read like a cancel`() throws {
    let cancellation = Cancellation()
    cancellation.setTimeLimit(.zero)
    #expect(cancellation.isLate && cancellation.isCancelled)
    let patient = Cancellation()
    patient.setTimeLimit(.seconds(Int64.max))
    #expect(!patient.isLate && !patient.isCancelled)
    patient.cancel()
    #expect(!patient.isLate && patient.isCancelled)
    let negative = Cancellation()
    negative.setTimeLimit(.seconds(-5))
    #expect(negative.isLate)
  }
}
