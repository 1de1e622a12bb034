import Testing

@testable import PhotoCodecs

/// Reads texts as programs really write them (known fault F9).
@Suite(.timeLimit(.minutes(1)))
struct MetadataTextTests {
  static let names: [(bytes: [UInt8], text: String?)] = [
    (Array("Canon\0".utf8), "Canon"),
    (Array("NIKON CORPORATION   \0\0\0".utf8), "NIKON CORPORATION"),
    (Array("SONY\0old".utf8), "SONY"),
    (Array("no end".utf8), "no end"),
    ([0x4E, 0x6F, 0xEB, 0x6C, 0], "Noël"),
    (Array("Noël".utf8), "Noël"),
    (Array("a\u{1B}[31mb\r\nc\u{7F}".utf8), "a [31mb c"),
    ([0x41, 0x85, 0x42], "A B"),
    (Array("   \0".utf8), nil),
    ([0, 0, 0], nil),
    ([7, 8], nil),
  ]

  @Test(arguments: names)
  func `a name ends at its first NUL and holds no control characters`(bytes: [UInt8], text: String?) {
    #expect(ExifText.name(Self.value(bytes, format: 2)) == text)
  }

  static let descriptions: [(bytes: [UInt8], text: String?)] = [
    (Array("abc\0def\0".utf8), "abc def"),
    (Array("abc\0\u{1}\u{2}def\0".utf8), "abc"),
    (Array("one\r\ntwo \0\0".utf8), "one two"),
    (Array("\0\0".utf8), nil),
  ]

  @Test(arguments: descriptions)
  func `a description goes on behind a NUL where that is text`(bytes: [UInt8], text: String?) {
    #expect(ExifText.passage(Self.value(bytes, format: 2)) == text)
  }

  static let comments: [(code: String, body: [UInt8], text: String)] = [
    ("ASCII\0\0\0", Array("hello\0\0".utf8), "hello"),
    ("ascii\0\0\0", Array("hello".utf8), "hello"),
    ("\0\0\0\0\0\0\0\0", Array("Noël  ".utf8), "Noël"),
    ("ASCII\0\0\0", [0x4E, 0x6F, 0xEB, 0x6C], "Noël"),
    ("", Array("short".utf8), "short"),
    ("", Array("A comment without any code".utf8), "A comment without any code"),
    ("UNICODE\0", [0xFE, 0xFF, 0x4E, 0xAC, 0x90, 0xFD], "京都"),
    ("UNICODE\0", [0xFF, 0xFE, 0xAC, 0x4E, 0xFD, 0x90], "京都"),
    ("UNICODE\0", [0xAC, 0x4E, 0xFD, 0x90], "京都"),
    ("UNICODE\0", [0x00, 0x4E, 0x00, 0x30, 0x8C, 0x4E], "一　二"),
    ("UNICODE\0", [0x61, 0, 0x62, 0, 0], "ab"),
    ("UNICODE\0", [0, 0x61, 0, 0x62], "ab"),
    ("UNICODE\0", [0x3D, 0xD8, 0x00, 0xDE], "😀"),
  ]

  @Test(arguments: comments)
  func `a comment is text in the code it is really in`(code: String, body: [UInt8], text: String) {
    #expect(ExifComment.read(Self.value(Array(code.utf8) + body, format: 7)) == .text(text))
  }

  static let blanks: [[UInt8]] = [
    Array("ASCII\0\0\0   \0".utf8), Array("UNICODE\0 \0 \0".utf8), Array("UNICODE\0".utf8),
    Array("JIS\0\0\0\0\0\0\0".utf8), Array(repeating: 0, count: 100), Array("        ".utf8),
  ]

  @Test(arguments: blanks)
  func `a blank comment is absent`(bytes: [UInt8]) {
    #expect(ExifComment.read(Self.value(bytes, format: 7)) == nil)
  }

  static let undecoded: [(bytes: [UInt8], base64: String)] = [
    (Array("JIS\0\0\0\0\0\u{1B}$B".utf8), "SklTAAAAAAAbJEI="),
    ([1, 2, 3, 4, 5, 6, 7, 8], "AQIDBAUGBwg="),
    (Array("ASCII\0\0\0\u{1}".utf8), "QVNDSUkAAAAB"),
  ]

  @Test(arguments: undecoded)
  func `a comment that is no text is kept as it is`(bytes: [UInt8], base64: String) {
    #expect(ExifComment.read(Self.value(bytes, format: 7)) == .undecoded(base64: base64))
  }

  private static func value(_ bytes: [UInt8], format: UInt16) -> ExifValue {
    ExifValue(format: format, bytes: bytes, isLittleEndian: true)
  }
}
