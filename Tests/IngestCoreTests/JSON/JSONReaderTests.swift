import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONReaderTests {
  private func read(_ text: String, _ options: JSONReader.Options = .strict) throws(JSONSyntaxError) -> JSONValue {
    try JSONReader(options).read(Array(text.utf8))
  }

  @Test(arguments: [
    ("null", JSONValue.null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
    ("-0", .number(-0.0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("1.0", .number(1)), ("1e2", .number(100)), ("-1.5E-2", .number(-0.015)),
    ("5e-324", .number(.leastNonzeroMagnitude)),
    ("0.1", .number(0.1)), ("1e-999", .number(0)), ("[]", .array([])), ("{}", .object([])),
    (#""""#, .string("")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00e9\u0000\uD83D\udcf7""#, .string("\u{E9}\u{0}\u{1F4F7}")),
    ("\"\u{2028}\u{7F}\"", .string("\u{2028}\u{7F}")),
    ("[1, [true], {\"a\":null}]", .array([.integer(1), .array([.bool(true)]), .object([JSONMember("a", .null)])])),
    (
      "{\"b\":1,\"a\":2}", .object([JSONMember("b", .integer(1)), JSONMember("a", .integer(2))])
    ),
  ])
  func `a correct text gives its value`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    ("", 1, 1, "the text ends where a value is expected"),
    ("  \n ", 2, 2, "the text ends where a value is expected"),
    ("\u{FEFF}{}", 1, 1, "the text begins with a byte order mark, which JSON does not allow"),
    ("{} {}", 1, 4, "something follows the end of the JSON value"),
    ("[1,\n 2", 1, 1, "an array is not closed"),
    ("[1 2]", 1, 4, "a comma or ] is expected here"),
    ("[1,]", 1, 4, "a value is expected here"),
    ("[,1]", 1, 2, "a value is expected here"),
    ("{\"a\":1,}", 1, 8, "a key in double quotes is expected here"),
    ("{a:1}", 1, 2, "a key in double quotes is expected here"),
    ("{\"a\" 1}", 1, 6, "a colon is expected after the key"),
    ("{\"a\":1 \"b\":2}", 1, 8, "a comma or } is expected here"),
    ("{\"a\":1", 1, 1, "an object is not closed"),
    ("{\"a\":1,\n\"b\":2,\n \"a\":3}", 3, 2, "the key \"a\" stands twice in one object"),
    ("{\"a\":1,\"a\":3}", 1, 8, "the key \"a\" stands twice in one object"),
    ("\"abc", 1, 1, "a string is not closed"),
    ("\"a\\", 1, 4, "a string is not closed"),
    ("\"\u{E9}\u{1F4F7}\t\"", 1, 4, "a control character in a string must be escaped"),
    (#""\x""#, 1, 2, "this escape is not one of JSON's"),
    (#""\u12g4""#, 1, 6, "\\u needs four hexadecimal digits"),
    (#""\ud800""#, 1, 2, "this escape is half of a surrogate pair"),
    (#""\ud800\n""#, 1, 2, "this escape is half of a surrogate pair"),
    (#""\ud800\ud800""#, 1, 2, "this escape is half of a surrogate pair"),
    (#""\udc00""#, 1, 2, "this escape is half of a surrogate pair"),
    ("01", 1, 1, "a number must not begin with a zero"),
    ("-", 1, 2, "a digit is expected here"),
    ("1.", 1, 3, "a digit is expected after the point"),
    (".5", 1, 1, "a value is expected here"),
    ("+1", 1, 1, "a value is expected here"),
    ("1e", 1, 3, "a digit is expected in the exponent"),
    ("1e999", 1, 1, "the number is too large"),
    ("NaN", 1, 1, "a value is expected here"),
    ("nul", 1, 1, "a value is expected here"),
    ("truex", 1, 5, "something follows the end of the JSON value"),
    ("// no\n1", 1, 1, "a value is expected here"),
  ])
  func `a faulty text is refused with place and sentence`(text: String, line: Int, column: Int, words: String) {
    #expect {
      try read(text)
    } throws: { error in
      guard let error = error as? JSONSyntaxError else { return false }
      #expect(error.message == words)
      #expect((error.line, error.column) == (line, column))
      return true
    }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xFF]] {
      #expect(throws: JSONSyntaxError.self) { try JSONReader().read(bytes) }
    }
  }

  @Test func `a configuration may hold comments and trailing commas`() throws {
    let text = """
      // for the wedding
      { "jobs": 2, /* two
         cores */ "thumbnail": [256, 64,], // sizes
        "path": "a//b /* no comment */",
      } // end
      """
    let value = try read(text, .configuration)
    #expect(value["jobs"] == .integer(2))
    #expect(value["thumbnail"] == .array([.integer(256), .integer(64)]))
    #expect(value["path"] == .string("a//b /* no comment */"))
    #expect(throws: JSONSyntaxError.self) { try read(text) }
  }

  @Test(arguments: ["[,]", "{,}", "[1,,]", "/* open", "/ 1", "1 /*/", "[1 // ]"])
  func `a faulty configuration is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try read(text, .configuration) }
  }

  @Test func `depth is limited before the stack is`() throws {
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    _ = try read(nested(128))
    #expect(throws: JSONSyntaxError.self) { try read(nested(129)) }
    #expect(throws: JSONSyntaxError.self) { try read(String(repeating: "[{\"a\":", count: 1_000_000)) }
  }

  @Test func `keys are told apart by their bytes`() throws {
    let value = try read("{\"caf\u{E9}\":1,\"cafe\u{301}\":2,\"K\":3,\"\u{212A}\":4}")
    #expect(value["caf\u{E9}"] == .integer(1))
    #expect(value["cafe\u{301}"] == .integer(2))
    #expect(value["\u{212A}"] == .integer(4))
    #expect(JSONValue.string("caf\u{E9}") != .string("cafe\u{301}"))
    #expect(Set([JSONValue.string("caf\u{E9}"), .string("cafe\u{301}")]).count == 2)
  }

  @Test func `a key tells where it stands`() throws {
    let text = "{\n  \"jobs\": 2,\n  \"\u{E9}\": 1, \"jbos\": 3\n}"
    let members = try #require(try read(text).objectValue)
    let offset = try #require(members[2].keyOffset)
    let position = JSONPosition(ofByte: offset, in: Array(text.utf8))
    #expect((position.line, position.column) == (3, 11))
  }

  @Test func `many keys are read in reasonable time`() throws {
    let members = (0..<20_000).map { "\"\(20_000 - $0)\":\($0)" }.joined(separator: ",")
    #expect(try read("{\(members)}").objectValue?.count == 20_000)
  }

  @Test(arguments: [1, 2, 3])
  func `no bytes make it trap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("{}[]\",:\\u0dDfF819-+.eE truefalsn/*\n\t\u{E9}\u{1F4F7}".utf8) + [0, 0xFF, 0xED, 0xA0, 0x80]
    var good = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      for options in [JSONReader.Options.strict, .configuration] {
        if let value = try? JSONReader(options).read(bytes) {
          good += 1
          var writer = JSONWriter()
          writer.value(value)
          #expect(throws: Never.self) { try JSONReader().read(writer.bytes) }
        }
      }
    }
    #expect(good > 0)
  }
}
