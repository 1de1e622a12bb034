import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct PNGFaultTests {
  static let shapes: [TinyPNG] = [false, true].flatMap { isInterlaced in
    [(13, 11, 2, 8), (9, 1, 6, 16), (1, 9, 3, 4), (1, 1, 0, 1)].map { width, height, type, depth in
      var png = TinyPNG(width, height, colorType: type, depth: depth)
      png.isInterlaced = isInterlaced
      return png
    }
  }

  @Test(arguments: shapes)
  func `a cut at any byte is told from a whole picture`(png: TinyPNG) throws {
    let bytes = png.bytes
    let endOfPixels = png.head.count + 8 + png.compressed.count
    for cut in 8..<bytes.count {
      let read = try ReadPicture(Array(bytes[..<cut]))
      let code = read.fault?.code
      if cut < endOfPixels {
        #expect(code == .truncated, "cut at \(cut) of \(bytes.count)")
      } else {
        #expect(code == .missingEndMarker, "cut at \(cut) of \(bytes.count)")
        #expect(read.rows == png.expectedRows, "cut at \(cut) of \(bytes.count)")
      }
      #expect(read.ending.trailingBytes == 0)
    }
  }

  @Test func `rows before a cut are delivered and right`() throws {
    let png = TinyPNG(40, 30)
    // libpng takes a chunk at a time, so in one small chunk nothing would come; here each byte has its own.
    let bytes = bytes(of: png, inChunksOf: 1)
    for rows in [0, 1, 7, 29] {
      // One byte of the next row's 121 is missing; 7 bytes come before the first row.
      let read = try ReadPicture(Array(bytes[..<(png.head.count + 13 * (7 + 121 * rows + 120))]))
      #expect(read.rowCount == rows)
      #expect(read.rows == Array(png.expectedRows[..<(rows * 120)]))
      #expect(read.fault?.code == .truncated)
    }
  }

  @Test func `an interlaced picture that is cut shows as much as there is`() throws {
    var png = TinyPNG(64, 64, colorType: 0)
    png.isInterlaced = true
    let bytes = bytes(of: png, inChunksOf: 1)
    // The first pass holds 8 rows of 8 pixels, each with its filter byte; three of them are there.
    let early = try ReadPicture(Array(bytes[..<(png.head.count + 13 * (7 + 27))]))
    #expect(early.rowCount == 24 && early.fault?.code == .truncated)
    for row in 0..<24 {
      for column in 0..<64 {
        let shown = early.rows[row * 64 + column]
        #expect(Int(shown) == png.sample(column / 8 * 8, row / 8 * 8, 0))
      }
    }
    let late = try ReadPicture(Array(bytes[..<(bytes.count - 13 * 300)]))
    #expect(late.rowCount == 64 && late.fault?.code == .truncated)
    // Rows of the first six passes, the even ones, are final.
    for row in stride(from: 0, to: 64, by: 2) {
      #expect(late.rows[(row * 64)..<(row * 64 + 64)] == png.expectedRows[(row * 64)..<(row * 64 + 64)])
    }
  }

  @Test(arguments: shapes)
  func `a flipped byte of the data chunk is never whole`(png: TinyPNG) throws {
    let bytes = png.bytes
    for place in png.head.count..<(png.head.count + png.data.count) {
      for flip in [0x01, 0x20, 0x80] as [UInt8] {
        var changed = bytes
        changed[place] ^= flip
        #expect(try ReadPicture(changed).fault != nil, "byte \(place) flipped by \(flip)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a wrong zlib checksum is damage though the chunk's checksum holds`(isInterlaced: Bool) throws {
    var png = TinyPNG(13, 11)
    png.isInterlaced = isInterlaced
    var stream = png.compressed
    stream[stream.count - 1] ^= 1
    let read = try ReadPicture(png.head + TinyPNG.chunk("IDAT", stream) + png.tail)
    #expect(read.fault?.code == .corrupt)
    #expect(read.fault?.message.contains("incorrect data check") == true)
    // zlib says so together with the last row, which libpng then keeps back.
    #expect(read.rowCount >= 10 && read.rows.starts(with: png.expectedRows.prefix(9 * 39)))
  }

  @Test(arguments: [("IHDR", 2), ("PLTE", 3), ("IDAT", 2)])
  func `a wrong checksum of the picture's own chunks is damage`(name: String, type: Int) throws {
    let png = TinyPNG(13, 11, colorType: type)
    let read = try ReadPicture(try breakingChecksum(of: name, in: png.bytes))
    #expect(read.fault?.code == .corrupt)
    #expect(read.rows == png.expectedRows)
    #expect(read.fault?.message.contains("\(name): CRC error") == true)
  }

  @Test func `an end marker whose checksum is wrong is none, and every pixel is there`() throws {
    let png = TinyPNG(13, 11)
    let read = try ReadPicture(try breakingChecksum(of: "IEND", in: png.bytes))
    #expect(read.fault?.code == .missingEndMarker)
    #expect(read.fault?.message.contains("IEND: CRC error") == true)
    #expect(read.rows == png.expectedRows)
  }

  @Test(arguments: [0, 2, 3])
  func `a wrong checksum of the transparency is damage: what it hid would be shown`(type: Int) throws {
    var png = TinyPNG(13, 11, colorType: type)
    png.transparency = type == 3 ? [0, 128] : [UInt8](repeating: 0, count: png.expectedRows.count / 143 * 2)
    let read = try ReadPicture(try breakingChecksum(of: "tRNS", in: png.bytes))
    #expect(read.fault?.code == .corrupt)
    #expect(read.fault?.message.contains("tRNS: CRC error") == true)
    #expect(read.rowCount == 11)
  }

  @Test(arguments: ["tEXt", "eXIf", "sPLT", "neWw"])
  func `a chunk before the header is odd and no damage`(name: String) throws {
    let png = TinyPNG(13, 11)
    let chunk = TinyPNG.chunk(name, Array("Title\0x".utf8))
    let read = try ReadPicture(Array(png.bytes[..<8]) + chunk + png.bytes[8...])
    #expect(read.fault == nil, "\(read.fault?.message ?? "")")
    #expect(read.rows == png.expectedRows && read.notes == ["odd-header"])
  }

  @Test func `the palette that a colour picture suggests is none of its data`() throws {
    var png = TinyPNG(13, 11)
    png.chunksBefore = [TinyPNG.chunk("PLTE", [1, 2, 3], breaksChecksum: true)]
    let read = try ReadPicture(png.bytes)
    #expect(read.fault == nil && read.notes == ["odd-header"])
  }

  @Test func `more data than the picture needs is odd and no damage`() throws {
    var rows = TinyPNG(13, 11)
    rows.extraRows = [0, 1, 2, 3]
    var compressed = TinyPNG(13, 11)
    compressed.extraCompressed = [9, 9, 9]
    for png in [rows, compressed] {
      let read = try ReadPicture(png.bytes)
      #expect(read.fault == nil, "\(read.fault?.message ?? "")")
      #expect(read.rows == png.expectedRows && read.notes == ["odd-header"] && read.ending.warnings > 0)
    }
  }

  @Test func `less data than the picture needs is damage`() throws {
    var short = TinyPNG(13, 11)
    short.height = 9
    let rows = short.compressed
    let read = try ReadPicture(TinyPNG(13, 11).head + TinyPNG.chunk("IDAT", rows) + short.tail)
    #expect(read.fault?.code == .corrupt && read.rowCount == 9)
  }

  @Test func `data in many chunks, empty ones among them, is the same picture`() throws {
    let png = TinyPNG(13, 11)
    let pieces = png.compressed.flatMap { TinyPNG.chunk("IDAT", [$0]) + TinyPNG.chunk("IDAT", []) }
    let read = try ReadPicture(png.head + pieces + png.tail)
    #expect(read.fault == nil && read.rows == png.expectedRows && read.notes == [])
  }

  @Test func `a chunk that no reader may pass over is a failure`() throws {
    var png = TinyPNG(4, 4)
    png.chunksBefore = [TinyPNG.chunk("NEWw", [1])]
    let before = try ReadPicture(png.bytes)
    #expect(before.header == nil && before.failure?.code == .corrupt)
    #expect(before.failure?.message.contains("NEWw: unknown critical chunk") == true)
    png.chunksBefore = []
    png.chunksAfter = [TinyPNG.chunk("NEWw", [1])]
    #expect(try ReadPicture(png.bytes).fault?.code == .corrupt)
    png.chunksAfter = [TinyPNG.chunk("neWw", [1]), TinyPNG.chunk("iDOT", [0x52, 0, 1, 0])]
    let harmless = try ReadPicture(png.bytes)
    #expect(harmless.fault == nil && harmless.notes == [])
  }

  @Test func `a signature and nothing more is a picture that is cut off`() throws {
    let read = try ReadPicture(Array(TinyPNG(1, 1).head[..<8]))
    #expect(read.header == nil && read.failure?.code == .truncated)
  }

  private func bytes(of png: TinyPNG, inChunksOf count: Int) -> [UInt8] {
    let stream = png.compressed
    let chunks = stride(from: 0, to: stream.count, by: count).flatMap { start in
      TinyPNG.chunk("IDAT", Array(stream[start..<min(start + count, stream.count)]))
    }
    return png.head + chunks + png.tail
  }

  private func breakingChecksum(of name: String, in bytes: [UInt8]) throws -> [UInt8] {
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      if Array(bytes[(at + 4)..<(at + 8)]) == Array(name.utf8) {
        var changed = bytes
        changed[at + 8 + length + 3] ^= 1
        return changed
      }
      at += 12 + length
    }
    throw ReadPicture.NoReader()
  }
}
