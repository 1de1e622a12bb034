import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct RawProfileTests {
  @Test(
    arguments: [
      ("\nexif\n      4\n49492a00\n", [0x49, 0x49, 0x2A, 0]),
      ("\nexif\n4\n4949\n2A00\n", [0x49, 0x49, 0x2A, 0]),
      ("\nexif\n       10\n45786966000049492a00", [0x49, 0x49, 0x2A, 0]),
      ("\nexif\n2\n49492a00\n", [0x49, 0x49]),
      ("\nexif\n5\n49492a00\n", nil), ("\nexif\n0\n\n", nil), ("\nexif\n-1\n00\n", nil), ("exif 4 49492a00", nil),
      ("\nexif\n99999999999999999999\n00\n", nil), ("\nexif\n1048577\n00\n", nil), ("", nil),
    ] as [(String, [UInt8]?)])
  func `a block is read from its digits`(text: String, block: [UInt8]?) {
    #expect(RawProfile.exif(in: Array(text.utf8)) == block)
  }
}
