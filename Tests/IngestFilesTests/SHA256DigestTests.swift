import Testing

@testable import IngestFiles

/// The vectors are those of FIPS 180-4's examples and of the NIST example values.
@Suite(.timeLimit(.minutes(1)))
struct SHA256DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `known vectors come out`(text: String, digest: String) {
    #expect(SHA256Digest.hex(of: Array(text.utf8)) == digest)
  }

  @Test func `a million letters in odd pieces`() {
    var digest = SHA256Digest()
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      let count = min(left, piece)
      digest.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
      piece = piece % 977 + 1
    }
    #expect(digest.finishHex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `a snapshot disturbs nothing and a finished value starts anew`() {
    var digest = SHA256Digest()
    digest.update(Array("a".utf8))
    #expect(digest.snapshotHex() == SHA256Digest.hex(of: Array("a".utf8)))
    digest.update(Array("bc".utf8))
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(digest.finishHex() == abc)
    digest.update(Array("abc".utf8))
    #expect(digest.finishHex() == abc)
  }

  @Test func `many digests at once do not disturb each other`() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(number), count: 10_000)
          let expected = SHA256Digest.hex(of: bytes)
          return (0..<20).allSatisfy { _ in
            var digest = SHA256Digest()
            for piece in 0..<10 { digest.update(bytes[(piece * 1000)..<(piece * 1000 + 1000)]) }
            return digest.finishHex() == expected
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
