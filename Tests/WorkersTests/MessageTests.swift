import IngestTestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(1))) struct MessageTests {
  /// One value of every kind that a message can hold.
  private static func sample() -> MessageWriter {
    var writer = MessageWriter()
    writer.add(true)
    writer.add(UInt8(200))
    writer.add(Int.min)
    writer.add(UInt64.max)
    writer.add(-0.125)
    writer.add([1, 2, 3] as [UInt8])
    writer.add("gr\u{FC}n")
    writer.add(7 as Int?) { $0.add($1) }
    writer.add(nil as Int?) { $0.add($1) }
    writer.add([5, 6]) { $0.add($1) }
    return writer
  }

  private static func read(_ bytes: [UInt8]) throws(MessageReader.Malformed) -> [String] {
    var reader = MessageReader(bytes)
    var found: [String] = []
    found.append("\(try reader.flag()) \(try reader.byte()) \(try reader.integer()) \(try reader.unsigned())")
    found.append("\(try reader.number()) \(try reader.data()) \(try reader.text())")
    for _ in 0..<2 {
      let value = try reader.optional { reader throws(MessageReader.Malformed) in try reader.integer() }
      found.append(value.map { "\($0)" } ?? "none")
    }
    found.append("\(try reader.list(upTo: 2) { reader throws(MessageReader.Malformed) in try reader.integer() })")
    try reader.finish()
    return found
  }

  @Test func `what the writer adds the reader takes in the same order`() throws {
    #expect(
      try Self.read(Self.sample().bytes) == [
        "true 200 \(Int.min) \(UInt64.max)", "-0.125 [1, 2, 3] gr\u{FC}n", "7", "none", "[5, 6]",
      ])
  }

  @Test func `a message cut anywhere is malformed`() {
    let whole = Self.sample().bytes
    for length in whole.indices {
      #expect(throws: MessageReader.Malformed()) { try Self.read(Array(whole[..<length])) }
    }
  }

  @Test func `a byte too many is malformed`() {
    #expect(throws: MessageReader.Malformed()) { try Self.read(Self.sample().bytes + [0]) }
  }

  /// Bytes that are no value of the kind asked for.
  private static func bytes(_ write: (inout MessageWriter) -> Void) -> [UInt8] {
    var writer = MessageWriter()
    write(&writer)
    return writer.bytes
  }

  @Test(arguments: [2, 255] as [UInt8]) func `a flag is 0 or 1`(byte: UInt8) {
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader([byte])
      return try reader.flag()
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func `a number is finite`(number: Double) {
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(Self.bytes { $0.add(number) })
      return try reader.number()
    }
  }

  @Test(arguments: [Int.min, -1, 4, Int.max]) func `a length is held against what is there`(length: Int) {
    let bytes = Self.bytes { $0.add(length) } + [1, 2, 3]
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(bytes)
      return try reader.data()
    }
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(bytes)
      return try reader.text()
    }
  }

  @Test(arguments: [Int.min, -1, 11, Int.max]) func `a count is held against its limit`(count: Int) {
    let bytes = Self.bytes { $0.add(count) }
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(bytes)
      return try reader.count(upTo: 10)
    }
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(bytes)
      return try reader.list(upTo: 10) { reader throws(MessageReader.Malformed) in try reader.byte() }
    }
  }

  @Test func `text that is no UTF-8 is malformed`() {
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(Self.bytes { $0.add([0xC3, 0x28] as [UInt8]) })
      return try reader.text()
    }
  }

  @Test func `a list that promises more than there is ends where the bytes do`() {
    #expect(throws: MessageReader.Malformed()) {
      var reader = MessageReader(Self.bytes { $0.add(Int.max) })
      return try reader.list(upTo: .max) { reader throws(MessageReader.Malformed) in try reader.byte() }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `random bytes never trap the reader`(seed: UInt64) {
    var random = SeededBytes(seed: seed)
    let bytes = random.next(count: Int(seed))
    _ = try? Self.read(bytes)
    // Near misses reach further than noise does.
    var near = Self.sample().bytes
    for _ in 0..<(1 + seed % 4) {
      let place = Int(random.next(count: 1)[0]) % near.count
      near[place] = random.next(count: 1)[0]
    }
    _ = try? Self.read(near)
  }
}
