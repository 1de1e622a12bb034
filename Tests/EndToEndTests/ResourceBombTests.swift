import Foundation
import IngestTestSupport
import Testing

/// Shows the program small files that want gigabytes or minutes: each has its verdict within 2 seconds of processor time
/// and 512 MiB of memory, which the kernel watches over.
@Suite(
  .timeLimit(.minutes(2)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"),
  .enabled(if: !BuiltProgram.isSanitized, "the sanitizer's own memory and time count"))
struct ResourceBombTests {
  enum Bomb: String, CaseIterable, Sendable {
    case gigapixelPNG, longPNG, interlacedPNG, gigapixelJPEG, progressiveJPEG, emptyGiantJPEG, scans, text, loop

    var bytes: [UInt8] {
      switch self {
      case .gigapixelPNG: Self.png(200_000, 200_000)
      case .longPNG: Self.png(1_000_001, 1)
      case .interlacedPNG: Self.png(14_000, 14_000, isInterlaced: true)
      case .gigapixelJPEG: JPEGSurgery.resized(TinyJPEG.baseline.bytes, width: 65_500, height: 65_500)
      case .progressiveJPEG: JPEGSurgery.resized(TinyJPEG.progressive.bytes, width: 14_000, height: 14_000)
      case .emptyGiantJPEG: JPEGSurgery.resized(TinyJPEG.baseline.bytes, width: 14_000, height: 14_000)
      case .scans: Self.manyScans
      case .text: Self.textBomb
      case .loop: JPEGSurgery.inserting(JPEGSurgery.exif(Self.exifLoop), into: TinyJPEG.baseline.bytes)
      }
    }

    /// The row's status, its code, and what its message names.
    var verdict: (status: String, code: String?, words: [String]) {
      switch self {
      case .gigapixelPNG: ("failed", "too-large", ["40000000000 pixels", "200000000 pixels"])
      case .longPNG: ("failed", "too-large", ["1000001 pixels", "1000000 pixels"])
      case .interlacedPNG: ("failed", "too-large", ["MiB of memory", "256 MiB"])
      case .gigapixelJPEG: ("failed", "too-large", ["4290250000 pixels", "200000000 pixels"])
      case .progressiveJPEG: ("failed", "too-large", ["MiB of memory", "256 MiB"])
      case .emptyGiantJPEG: ("damaged", "corrupt", [])
      case .scans: ("failed", "too-large", ["scan number 101", "100 scans"])
      case .text, .loop: ("verified", nil, [])
      }
    }

    var notes: Set<String> {
      switch self {
      case .text: ["text-dropped"]
      case .loop: ["exif-broken"]
      default: []
      }
    }

    private static func png(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> [UInt8] {
      var png = TinyPNG(width, height, colorType: 6)
      png.isInterlaced = isInterlaced
      return png.head + TinyPNG.chunk("IDAT", [0x78, 0x01]) + TinyPNG.chunk("IEND", [])
    }

    /// The last scan 8,000 times: a standard that forbids it has no picture to lose by it.
    private static var manyScans: [UInt8] {
      let bytes = TinyJPEG.progressive.bytes
      guard let last = JPEGSurgery.places(of: 0xDA, in: bytes).last else { return [] }
      let scan = bytes[last..<(bytes.count - 2)]
      return bytes[..<last] + Array(repeatElement(scan, count: 8000).joined()) + [0xFF, 0xD9]
    }

    private static var textBomb: [UInt8] {
      var png = TinyPNG(5, 3)
      png.chunksBefore = [TinyPNG.chunk("zTXt", Array("Comment\0\0".utf8) + zeros(64 << 20))]
      return png.bytes
    }

    /// A zlib stream that unfolds to at least so many zeros (RFC 1951, 3.2.6: fixed codes).
    private static func zeros(_ count: Int) -> [UInt8] {
      var stream: [UInt8] = [0x78, 0x01]
      var (byte, filled) = (UInt8(0), 0)
      func add(_ bit: Int) {
        byte |= UInt8(bit) << UInt8(filled)
        filled += 1
        if filled == 8 {
          stream.append(byte)
          (byte, filled) = (0, 0)
        }
      }
      // The last block, fixed codes, one zero, and then 258 bytes from one byte back, again and again.
      let repeating = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
      for bit in [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0] { add(bit) }
      for _ in 0..<(count / 258) { for bit in repeating { add(bit) } }
      for bit in [0, 0, 0, 0, 0, 0, 0] { add(bit) }
      return stream + [byte, 0, 0, 0, 0]
    }

    /// Orientation 6, and a next directory that is the first.
    private static var exifLoop: [UInt8] {
      let block = TinyExif.block(orientation: 6)
      return Array(block.dropLast(4)) + [8, 0, 0, 0]
    }
  }

  @Test(arguments: Bomb.allCases)
  func `a bomb is defused by name, in little time and memory`(bomb: Bomb) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("bomb", bomb.bytes)
    // In one process, so that the limits hold for all of the work.
    let limited = "ulimit -t 2 && ulimit -d 524288 && exec \"$0\" inspect --json --workers in-process \"$1\""
    let result = try await Command("/bin/sh", ["-c", limited, BuiltProgram.path, path]).run()
    let rows = try Facts.lines(in: result.output).filter { $0.text("record") == "asset" }
    let row = try #require(rows.first, "\(result)")
    let expected = bomb.verdict
    #expect(row.status == expected.status, "\(row.value)")
    #expect(row.code == expected.code, "\(row.value)")
    for words in expected.words { #expect(row.message.contains(words), "\(row.message)") }
    #expect(bomb.notes.isSubset(of: row.notes), "\(row.value)")
    #expect(result.end == .exited(expected.status == "verified" ? 0 : 3), "\(result)")
  }

  @Test func `a folder of bombs costs no more than its decoders may take`() async throws {
    let stage = try RunStage()
    for bomb in Bomb.allCases { try stage.photo("\(bomb.rawValue).jpg", bomb.bytes) }
    let result = try await stage.run(["-j", "2", "--json"], code: 3)
    for bomb in Bomb.allCases { #expect(try stage.row("\(bomb.rawValue).jpg").status == bomb.verdict.status) }
    #expect(result.peakMemory < 600 << 20, "\(result.peakMemory) bytes")
  }
}
