/// Holds one JSON value (RFC 8259) as it was read or as it will be written.
///
/// Equality and hashing look at the UTF-8 bytes of strings. Swift's `String` calls the NFC and NFD spelling of a name
/// equal; two such names are two files, so they must be two values here.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number. Never infinite or NaN when it comes from `JSONReader`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// The members in the order in which they stand.
  case object([JSONMember])

  /// The value of the member with exactly this key; nil without one and for anything but an object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.hasSameBytes(as: key) }?.value
  }

  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var boolValue: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The whole number; nil for a number that was written with a fraction or an exponent, also `1.0`.
  public var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The number, whole or not.
  public var doubleValue: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  public var objectValue: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// What kind of value it is, in words for a message: "a string".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Joins a key with its value in an object.
public struct JSONMember: Sendable {
  public var key: String
  public var value: JSONValue
  /// Where the key's opening quote stands in the bytes it was read from; nil when it was not read. Not part of
  /// equality. `JSONPosition(ofByte:in:)` turns it into line and column.
  public var keyOffset: Int?

  public init(_ key: String, _ value: JSONValue, keyOffset: Int? = nil) {
    self.key = key
    self.value = value
    self.keyOffset = keyOffset
  }
}

extension String {
  /// Whether both hold the same UTF-8 bytes; `==` would also accept another normal form.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  fileprivate func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    for byte in utf8 { hasher.combine(byte) }
  }
}

extension JSONValue: Hashable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .number(let number): hasher.combine(number)
    case .string(let text): text.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSONMember: Hashable {
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}
