import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(1)))
struct MessageTests {
  @Test func `what was written is read back, and nothing more is there`() throws {
    var writer = MessageWriter()
    writer.add(-5)
    writer.add("Noël")
    writer.add(Optional("x")) { $0.add($1) }
    writer.add([1, 2, 3]) { $0.add($1) }
    var reader = MessageReader(writer.bytes)
    #expect(try reader.integer() == -5)
    #expect(try reader.text() == "Noël")
    #expect(try reader.optional { reader throws(MessageReader.Malformed) in try reader.text() } == "x")
    #expect(try reader.list(upTo: 3) { reader throws(MessageReader.Malformed) in try reader.integer() } == [1, 2, 3])
    try reader.finish()
  }

  @Test func `a length beyond the end is malformed`() {
    var reader = MessageReader([255, 255, 255, 255, 255, 255, 255, 127, 1])
    #expect(throws: MessageReader.Malformed.self) { try reader.data() }
  }
}
