import Foundation
import IngestCore
import Testing

@testable import PhotoCodecs

/// Damage that the libraries pass over without a word when they are fed as is convenient.
@Suite(.timeLimit(.minutes(1)))
struct SilentDamageTests {
  /// A JPEG of 1,799 bytes and 64x64 gray pixels, with one code that is in no table 700 bytes or more before its end.
  /// libjpeg-turbo decodes it without a warning when it gets 512 bytes or more at once.
  private static let badCode = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIe
    JBweHx7/wAALCABAAEABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG
    E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJ
    ipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AOetVcL91C74
    LB2IUccKOfm4YH6Zr5/Rmk2yGNSM7SDIAo+XDFV42/KT3/ka+qiySiKRoVVGTkxyFUJznBIBwc54681zpSBnzGmXmkxuab5ZOM468EZPPXPrzSHE
    QKNPmRhuYyjbgngYC9OuD34rnIg77HEiMVPm7iSe+M8HB4VufYDg9eZadAoO5WPl5ijIAwzDqeMcAqPSvoSeGN7hGZVDc/ccHaNo5z/Fgc9sHnPF
    eNIsUj/Opl2x4XzCELEYc5J988E4AU1XaVnj+0bfMAO9ZDKccHJxkZx7HsDj39qdsRL+888y/wAeGIAX5SxY9v8AgJH1rCtwWlHlRh9rcLgjbgnj
    n1yOe3Hc14K5dVaJsTI+XKykKNmAQ3t/F+R79PdwrtbBJRCwZtrHJJ3deR1fB9PT6CvFGLmNP3aR4Gzy3zuIxndgclTk59Oxr692Dc6QZZsJlWdg
    GGMbcYHJ+XPpkY54rcCFkk2q0bswKpkKGHHAHPYEckgc8DoPBLXzzujDMhII8vllXopJz6YHfofTIr3xUWOKbEewSr8jbvv/AHsAjdzkdcDn618B
    ySR28f8Aqg67mMZR2XbnPzdOSAB6de/b6L8zcxEvmKCdu18k5AOMk5ODuIxz+INfODhfNLxospIOyKNSSVGNuSD/AHR/DzjGc817vcLKnlGQtcSF
    A+AP4f4gBjqSf5cDt4v54cKhjf8AeKqlBljj7u/PU5HHQdvUEuKG3eR0tSoZ2WIqCSMkDAyT83BPbBFfTUfmrDumAVdyK6Bgp6cjI5z22jnB9hXh
    jCZ3VUO1t+GGepIAwVzk7eevGB3zXJxyxvOxabELYAZmY5PCnGeW7/zr/v6rq4BARWCDD4LhV5A5I7kenJz612CzyKoc22N0zfKX2KwIwM+pBGfT
    9K6Xzp3b95G0bwFTxHjBAONzE+hyT0wBXlQzJDIC4ZcqW3OSo6DAOMAjOOPRR619IKYtzqqtE8mHDYI3LuyCOO5IJzzhvy4ou/7m2UoZf9YQ/G7G
    Sc4OAvp6fmRMYQ6NLKXYjdLtaIsByBjb1ABA79Fx0yBz6vI5G2WMoI8xbx84GepYZAPzYJ5HHTqK95aFWlToN5I2jLKxyMHv8vOe2AeOa4SEGRt8
    flxtFjHG7bwN2QecYGOxPoOa+c7xA7O8c5YOCoUv95ehPB+bAGOOSQMk8Z+q1+0ARFEjCgZhAIxwBnn1ORnpnke9eqiXdJE8TF2UkKmzrtPAI7HI
    B4/wA+ajti3wrJsKZ5jwzdOSVJz0Gc54yPfHvVvbGVg0QcSNEzOHJySNpAwQcclTnP8AhXyvPI0qM4kLSLuAZTtcqBgnH1OccZIAz0FeiFRbFFup
    PvvjP3WUYAzjjGNvUZ+vGDy2HZZIIZlUAY+VTuGQBtzuxj7vrn+c2Zk2wpEYIkwc/OSuWx365PbPQnpXse5JY2wAoQbiiHJRtvOAc7RleeM4PrkV
    5i0MszN5gmMqtsK/wrkcDHfoD/j3+jY2MVyruGAO75Y2XgkkFT0yen6dOCfneOOWAqqICAASgYDqDjHPIznqQenTOK+bY48ogDrtD8MFyecZChsn
    PKgEZ4I75r17zI/Lsw5Jbcu0IMDIwMYA54P44PTivpi3lMWI5HjZ3YKrbuqhsEAYwB15GQcfl85oyxoysBvz5hkkQKdxXgYIHORnv0Aye3gaQqI2
    RUYGY7W3KVChfTjOD369s4zx6WAIBIhfcxboX3s2cEbh05UgcemBnvw7yIYgGQrtG0CQoSeOpLdMZPHbJ9DX6PxJtjZ9pLj90qu+XYEMeT69sEds
    ZzSRuiRMN5R85RXUctwuMdDwCOcdD1zmuHCo9wTJunZApIUYbPQ4HqcknjOeOxrz2QSRRR7JEkkOcsrbcEAZwDwTyOT9fp2sXmq5fA3L99trAg7c
    g5x7Hk5zxkdK+QTtQSW6PFtUAGNJOmOoOeDx6njaPXFf/9k=
    """

  /// A gray pixel behind a critical chunk that nobody knows.
  private static let unknownChunk = """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAAUFCQ0R4KrtWxAAAAApJREFUeJxjYAAAAAIAAUivpHEAAAAASUVORK5CYII=
    """

  /// Gives the bytes in pieces of one size, as a pipe or a far disk would.
  private final class Pieces: ByteReading {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: [UInt8], size: Int) {
      rest = bytes[...]
      self.size = size
    }

    func read(into buffer: inout MutableRawSpan) -> Int {
      let count = min(size, rest.count, buffer.byteCount)
      for index in 0..<count {
        buffer.storeBytes(of: rest[rest.startIndex + index], toByteOffset: index, as: UInt8.self)
      }
      rest = rest.dropFirst(count)
      return count
    }
  }

  private func verdict(of base64: String, piece: Int) throws -> DecodedPhoto.Verdict {
    let bytes = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
    return PhotoDecoder().decode(from: Pieces(Array(bytes), size: piece), request: DecodeRequest()).verdict
  }

  @Test(arguments: [1, 100, 511, 512, 1000, 1 << 20])
  func `a code that is in no table is damage, however the bytes come`(piece: Int) throws {
    guard case .damaged(let error) = try verdict(of: Self.badCode, piece: piece) else {
      Issue.record("the picture counts as whole")
      return
    }
    #expect(error.code == .corrupt)
    #expect(error.message.contains("bad Huffman code"))
  }

  @Test func `a PNG with a critical chunk that nobody knows is not called whole`() throws {
    guard case .failed(let error) = try verdict(of: Self.unknownChunk, piece: 1 << 20) else {
      Issue.record("the picture counts as whole")
      return
    }
    #expect(error.message.contains("unknown critical chunk"))
  }
}
