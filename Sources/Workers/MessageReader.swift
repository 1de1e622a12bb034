/// Takes values from the bytes of a message that nobody vouches for: every length is held against what is there.
public struct MessageReader: ~Copyable {
  /// Says that the bytes are no such message.
  public struct Malformed: Error, Sendable, Hashable {
    public init() {}
  }

  private let bytes: [UInt8]
  private var position = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  public mutating func byte() throws(Malformed) -> UInt8 {
    let taken = try take(1)
    return taken[taken.startIndex]
  }

  public mutating func flag() throws(Malformed) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw Malformed()
    }
  }

  public mutating func unsigned() throws(Malformed) -> UInt64 {
    try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Any integer.
  public mutating func integer() throws(Malformed) -> Int {
    Int(Int64(bitPattern: try unsigned()))
  }

  /// An integer from 0 through `limit`.
  public mutating func count(upTo limit: Int) throws(Malformed) -> Int {
    let value = try integer()
    guard (0...limit).contains(value) else { throw Malformed() }
    return value
  }

  /// A finite number.
  public mutating func number() throws(Malformed) -> Double {
    let value = Double(bitPattern: try unsigned())
    guard value.isFinite else { throw Malformed() }
    return value
  }

  public mutating func data() throws(Malformed) -> [UInt8] {
    let length = try integer()
    return Array(try take(length))
  }

  /// Text; bytes that are not UTF-8 make the message malformed.
  public mutating func text() throws(Malformed) -> String {
    guard let text = String(validating: try data(), as: UTF8.self) else { throw Malformed() }
    return text
  }

  /// A value that may be absent.
  public mutating func optional<Value>(
    _ read: (inout MessageReader) throws(Malformed) -> Value
  ) throws(Malformed) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// A list of at most `limit` elements.
  public mutating func list<Element>(
    upTo limit: Int, _ read: (inout MessageReader) throws(Malformed) -> Element
  ) throws(Malformed) -> [Element] {
    let length = try count(upTo: limit)
    var list: [Element] = []
    for _ in 0..<length { list.append(try read(&self)) }
    return list
  }

  /// Ends the reading: a message holds nothing more than was asked of it.
  public consuming func finish() throws(Malformed) {
    guard position == bytes.count else { throw Malformed() }
  }
}
