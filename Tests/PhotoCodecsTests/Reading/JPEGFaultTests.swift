import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct JPEGFaultTests {
  @Test(arguments: TinyJPEG.allCases)
  func `a cut at any byte is told from a whole picture`(kind: TinyJPEG) throws {
    let bytes = kind.bytes
    let scans = JPEGSurgery.places(of: 0xDA, in: bytes)
    let firstScan = try #require(scans.first)
    for cut in 2..<bytes.count {
      let read = try ReadPicture(Array(bytes[..<cut]))
      let code = read.fault?.code
      #expect(code == .truncated || code == .missingEndMarker, "cut at \(cut): \(code.map { "\($0)" } ?? "whole")")
      #expect(read.ending.trailingBytes == 0)
      // Once the first scan has begun there is a picture of full size, however gray its lower part.
      let isInScan = cut >= firstScan + 2 + Int(bytes[firstScan + 3])
      #expect(read.rowCount == (isInScan ? TinyJPEG.height : 0), "cut at \(cut)")
      if cut == bytes.count - 2, kind != .arithmetic, kind != .arithmeticProgressive {
        #expect(code == .missingEndMarker)
        #expect(try read.rows == ReadPicture(bytes).rows)
      }
    }
  }

  @Test(arguments: [TinyJPEG.arithmetic, .arithmeticProgressive])
  func `without an end marker nothing says that an arithmetic picture is whole`(kind: TinyJPEG) throws {
    // The decoder makes up missing bytes without a word, so a picture cut in half must not be called whole.
    #expect(try ReadPicture(kind.bytes.dropLast(2)).fault?.code == .truncated)
    #expect(try ReadPicture(kind.bytes.dropLast(20)).fault?.code == .truncated)
  }

  @Test(arguments: [TinyJPEG.planes, .progressive, .grayProgressive])
  func `a picture without its last scan is cut off, and without an end marker it says so`(kind: TinyJPEG) throws {
    let last = try #require(JPEGSurgery.places(of: 0xDA, in: kind.bytes).last)
    #expect(try ReadPicture(Array(kind.bytes[..<last])).fault?.code == .truncated)
  }

  @Test(arguments: [TinyJPEG.progressive, .arithmeticProgressive, .grayProgressive])
  func `a progressive picture cut between two scans is cut off, whatever end marker was put behind it`(
    kind: TinyJPEG
  ) throws {
    let bytes = kind.bytes
    for scan in JPEGSurgery.places(of: 0xDA, in: bytes).dropFirst() {
      let read = try ReadPicture(Array(bytes[..<scan]) + [0xFF, 0xD9])
      #expect(read.fault?.code == .truncated, "cut at \(scan) of \(bytes.count)")
      #expect(read.fault?.message.hasPrefix("scans of a progressive picture are missing") == true)
      #expect(read.rowCount == TinyJPEG.height)
    }
    #expect(try ReadPicture(bytes).fault == nil)
  }

  @Test(arguments: [0, 1, 2])
  func `a component without a scan is damage, end marker or not`(missing: Int) throws {
    let bytes = TinyJPEG.planes.bytes
    let scans = JPEGSurgery.places(of: 0xDA, in: bytes)
    #expect(scans.count == 3)
    let ends = Array(scans.dropFirst()) + [bytes.count - 2]
    // Tables of the next scan stand before it: what goes is the scan alone.
    var end = ends[missing]
    for place in JPEGSurgery.places(of: 0xC4, in: bytes) where place > scans[missing] { end = min(end, place) }
    let lacking = Array(bytes[..<scans[missing]] + bytes[end...])
    let read = try ReadPicture(lacking)
    #expect(read.fault?.code == .corrupt)
    #expect(read.fault?.message == "a colour component has no data")
    #expect(read.rowCount == TinyJPEG.height)
  }

  @Test func `the scan limit is named with its figure`() throws {
    let limits = DecodeLimits(maxScans: 9)
    let read = try ReadPicture(TinyJPEG.progressive.bytes, limits: limits)
    #expect(read.fault?.code == .tooLarge)
    #expect(read.fault?.message == "the picture has scan number 10, and the limit is 9 scans")
    #expect(try ReadPicture(TinyJPEG.progressive.bytes, limits: DecodeLimits(maxScans: 10)).fault == nil)
    #expect(try ReadPicture(TinyJPEG.baseline.bytes, limits: DecodeLimits(maxScans: 1)).fault == nil)
    #expect(try ReadPicture(TinyJPEG.baseline.bytes, limits: DecodeLimits(maxScans: 0)).fault?.code == .tooLarge)
  }

  @Test func `restart markers out of order are damage`() throws {
    var bytes = TinyJPEG.restarts.bytes
    let scan = try #require(JPEGSurgery.places(of: 0xDA, in: bytes).first)
    let restarts = (scan..<(bytes.count - 1)).filter { bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1]) }
    #expect(restarts.count == 5)
    bytes[restarts[2] + 1] = 0xD5
    let read = try ReadPicture(bytes)
    #expect(read.fault?.code == .corrupt && read.rowCount == TinyJPEG.height)
  }

  @Test func `junk before the first scan is odd and behind it is damage`() throws {
    let early = try ReadPicture(JPEGSurgery.inserting([1, 2, 3], into: TinyJPEG.baseline.bytes))
    #expect(early.fault == nil && early.notes == ["odd-header"] && early.ending.warnings == 1)
    let late = try ReadPicture(TinyJPEG.baseline.bytes.dropLast(2) + [1, 2, 3, 0xFF, 0xD9])
    #expect(late.fault?.code == .corrupt)
    #expect(late.fault?.message.contains("extraneous bytes") == true)
    // Fill bytes before a marker are legal (T.81, B.1.1.2).
    let filled = try ReadPicture(TinyJPEG.baseline.bytes.dropLast(2) + [0xFF, 0xFF, 0xFF, 0xD9])
    #expect(filled.fault == nil && filled.notes == [])
  }

  @Test func `a second scan where one was announced is damage`() throws {
    let bytes = TinyJPEG.baseline.bytes
    let scan = try #require(JPEGSurgery.places(of: 0xDA, in: bytes).first)
    let read = try ReadPicture(Array(bytes.dropLast(2)) + bytes[scan...])
    #expect(read.fault?.code == .corrupt && read.rowCount == TinyJPEG.height)
  }

  @Test func `two components and other odd colour spaces are unsupported by name`() throws {
    var bytes = TinyJPEG.gray.bytes
    let frame = try #require(JPEGSurgery.places(of: 0xC0, in: bytes).first)
    let scan = try #require(JPEGSurgery.places(of: 0xDA, in: bytes).first)
    // A second component in the frame and in the scan, coded like the first.
    bytes.replaceSubrange(scan..<(scan + 10), with: [0xFF, 0xDA, 0, 10, 2, 1, 0, 2, 0, 0, 63, 0])
    bytes[frame + 3] += 3
    bytes[frame + 9] = 2
    bytes.insert(contentsOf: [2, 0x11, 0], at: frame + 13)
    let read = try ReadPicture(bytes)
    #expect(read.fault?.code == .unsupported)
    #expect(read.fault?.message == "pictures of 2 components are not decoded")
  }

  @Test(arguments: [
    (0xC3, 8, "lossless and hierarchical JPEG are not decoded"), (0xC1, 12, "samples of this depth are not decoded"),
    (0xC5, 8, "lossless and hierarchical JPEG are not decoded"),
  ])
  func `kinds of JPEG that are not decoded are named`(frame: Int, depth: Int, words: String) throws {
    var bytes = TinyJPEG.gray.bytes
    let place = try #require(JPEGSurgery.places(of: 0xC0, in: bytes).first)
    bytes[place + 1] = UInt8(frame)
    bytes[place + 4] = UInt8(depth)
    let failure = try ReadPicture(bytes).failure
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.hasPrefix(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `a height that comes only behind the picture is unsupported by name`() throws {
    let failure = try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 40, height: 0)).failure
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("DNL") == true)
    #expect(try ReadPicture(JPEGSurgery.resized(TinyJPEG.gray.bytes, width: 0, height: 9)).failure?.code == .corrupt)
  }

  @Test(arguments: [[0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xDB, 0, 67]])
  func `a beginning and nothing more is a picture that is cut off`(bytes: [UInt8]) throws {
    let read = try ReadPicture(bytes)
    #expect(read.header == nil && read.failure?.code == .truncated)
  }

  @Test func `an end marker without a picture is damage`() throws {
    #expect(try ReadPicture([0xFF, 0xD8, 0xFF, 0xD9]).failure?.code == .corrupt)
  }

  @Test func `flipped bytes crash nothing and are mostly found`() throws {
    for kind in TinyJPEG.allCases {
      let bytes = kind.bytes
      for place in 2..<bytes.count {
        var changed = bytes
        changed[place] ^= 0xFF
        let read = try ReadPicture(changed, wantsStandIn: true, limits: DecodeLimits(maxPixels: 1_000_000))
        #expect(read.rows.count == read.rowCount * (read.format?.rowBytes ?? 0))
      }
    }
  }
}
