import Foundation
import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONWriterTests {
  private func written(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `commas stand between members and elements only`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.integer(1)
    writer.beginObject()
    writer.endObject()
    writer.null()
    writer.endArray()
    writer.member("b", true)
    writer.member("c", nil as String?)
    writer.member("d", Double.nan)
    writer.member("e", 0.5)
    writer.key("f")
    writer.base64([0, 255])
    writer.endObject()
    writer.newLine()
    writer.integer(UInt64.max)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "{\"a\":[1,{},null],\"b\":true,\"e\":0.5,\"f\":\"AP8=\"}\n18446744073709551615")
  }

  @Test(
    arguments: [
      (0.0, "0"), (-0.0, "-0"), (1, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (1e-7, "1e-07"), (1e21, "1e+21"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"), (100_000, "100000"),
      (1e16, "1e+16"), (0.30000000000000004, "0.30000000000000004"), (1.0 / 250, "0.004"),
    ] as [(Double, String)])
  func `a number is written in the fewest digits that read back`(number: Double, text: String) throws {
    #expect(written(.number(number)) == text)
    let read = try JSONReader().read(Array(text.utf8)).doubleValue
    #expect(read?.bitPattern == number.bitPattern || (number == 0 && read == 0) || read == number)
  }

  @Test func `any double reads back as itself`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try JSONReader().read(Array(written(.number(number)).utf8)).doubleValue == number)
    }
  }

  @Test(arguments: [
    ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#), ("\u{0}", #""\u0000""#), ("\u{1F}", #""\u001f""#),
    ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\u{B}", #""\u000b""#), ("\u{7F}\u{2028}", "\"\u{7F}\u{2028}\""),
  ])
  func `a string is escaped as little as the standard allows`(text: String, json: String) {
    #expect(written(.string(text)) == json)
  }

  @Test func `strings and numbers come out as Foundation writes them`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    for text in Sample.hostileTexts {
      #expect(Array(written(.string(text)).utf8) == Array(try encoder.encode(text)))
    }
    for number in [0.1, 1e-7, 1e21, Double.leastNonzeroMagnitude, 3, -0.0, 1e15, 1e16, 123456.789] {
      #expect(Array(written(.number(number)).utf8) == Array(try encoder.encode(number)))
    }
  }

  @Test func `what Foundation reads is what was written`() throws {
    for text in Sample.hostileTexts {
      let bytes = Array(written(.array([.string(text)])).utf8)
      let foundation = try JSONDecoder().decode([String].self, from: Data(bytes))
      #expect(foundation.first.map { Array($0.utf8) } == Array(text.utf8))
      #expect(try JSONReader().read(bytes) == .array([.string(text)]))
    }
  }

  @Test func `a member whose number is not finite is left out`() {
    let value = JSONValue.object([JSONMember("a", .number(.infinity)), JSONMember("b", .number(.nan))])
    #expect(written(value) == "{}")
  }

  @Test func `base64 agrees with Foundation both ways`() {
    var random = SeededGenerator(seed: 3)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "A===", "AA=A", "====", "AB==", "AAB=", "AA==AA==", "A A=", "AA-_", "AAAA\n"])
  func `base64 that nobody would have written is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
