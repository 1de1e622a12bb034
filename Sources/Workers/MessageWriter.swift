/// Puts values one behind the other into the bytes of a message. What it writes, `MessageReader` reads in the same order.
///
/// Integers are little-endian; bytes and text come behind their length; an optional behind a byte that says whether it
/// is there.
public struct MessageWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func add(_ value: Bool) { bytes.append(value ? 1 : 0) }

  public mutating func add(_ value: UInt8) { bytes.append(value) }

  public mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }

  public mutating func add(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
  }

  public mutating func add(_ value: Double) { add(value.bitPattern) }

  public mutating func add(_ value: [UInt8]) {
    add(value.count)
    bytes.append(contentsOf: value)
  }

  public mutating func add(_ value: String) { add(Array(value.utf8)) }

  /// Adds whether there is a value, and then the value.
  public mutating func add<Value>(_ value: Value?, _ write: (inout MessageWriter, Value) -> Void) {
    add(value != nil)
    if let value { write(&self, value) }
  }

  /// Adds how many elements there are, and then each.
  public mutating func add<Element>(_ list: [Element], _ write: (inout MessageWriter, Element) -> Void) {
    add(list.count)
    for element in list { write(&self, element) }
  }
}
