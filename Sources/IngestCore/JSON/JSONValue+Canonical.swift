extension JSONValue {
  /// Whether these bytes are how manifests write this value: the keys of every object in the order of their bytes, each
  /// once, no blanks, no escapes but the needed ones, no null, numbers in their shortest form.
  func isCanonical(in bytes: [UInt8]) -> Bool {
    guard hasSortedKeys else { return false }
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes == bytes
  }

  private var hasSortedKeys: Bool {
    switch self {
    case .null: false
    case .bool, .integer, .number, .string: true
    case .array(let elements): elements.allSatisfy(\.hasSortedKeys)
    case .object(let members):
      members.allSatisfy(\.value.hasSortedKeys)
        && zip(members, members.dropFirst()).allSatisfy { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
  }
}
