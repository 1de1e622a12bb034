let globSlash8 = UInt8(ascii: "/")
let globSlash = UInt32(globSlash8)

/// Holds one piece of a parsed pattern. Characters are Unicode scalars, or 0x110000 plus a byte that is not UTF-8.
enum GlobToken: Sendable, Hashable {
  case one(UInt32)
  case any
  case set(GlobSet)
  /// `*`
  case run
  /// `**`
  case runAcross
  /// `**/` at the start of a part: nothing, or anything that ends in `/`.
  case folders

  var canBeEmpty: Bool {
    switch self {
    case .run, .runAcross, .folders: true
    case .one, .any, .set: false
    }
  }
}

/// Holds what stands between brackets.
struct GlobSet: Sendable, Hashable {
  var isNegated = false
  var ranges: [ClosedRange<UInt32>] = []

  func contains(_ character: UInt32) -> Bool {
    character != globSlash && ranges.contains { $0.contains(character) } != isNegated
  }
}

/// Gives the characters of a name one by one; a byte that belongs to no valid UTF-8 sequence is a character of its own.
struct GlobCharacters {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next() -> UInt32? {
    guard let first = rest.first else { return nil }
    if first < 0x80 {
      rest.removeFirst()
      return UInt32(first)
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    if let text = String(validating: rest.prefix(length), as: UTF8.self), let scalar = text.unicodeScalars.first,
      scalar.utf8.count == length
    {
      rest.removeFirst(length)
      return scalar.value
    }
    rest.removeFirst()
    return 0x110000 + UInt32(first)
  }
}
