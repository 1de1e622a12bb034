/// Says why a pattern cannot be used.
public enum GlobError: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  case empty
  case tooLong
  case endsInBackslash
  case endsInSlash
  case emptyPart
  case setNotClosed
  case rangeBackwards
  case slashInSet
  case namedSet

  /// What is wrong, without the pattern: "a set is not closed: ] is missing".
  public var description: String {
    switch self {
    case .empty: "the pattern is empty"
    case .tooLong: "the pattern is longer than \(Glob.maximumLength) bytes"
    case .endsInBackslash: "the pattern ends in a backslash; two stand for one"
    case .endsInSlash: "a pattern meets files, not folders; add ** for all that is below the folder"
    case .emptyPart: "the pattern holds //, which is in no path"
    case .setNotClosed: "a set is not closed: ] is missing (for the character [ itself write \\[)"
    case .rangeBackwards: "a range in a set runs backwards"
    case .slashInSet: "a set cannot hold /"
    case .namedSet: "sets such as [:digit:] are not known here; write [0-9]"
    }
  }
}

/// Turns a pattern into tokens.
struct GlobParser {
  private let characters: [UInt32]
  private let length: Int
  private var offset = 0

  init(_ pattern: [UInt8]) {
    length = pattern.count
    var reader = GlobCharacters(pattern.prefix(Glob.maximumLength))
    var characters: [UInt32] = []
    while let character = reader.next() { characters.append(character) }
    self.characters = characters
  }

  mutating func tokens() throws(GlobError) -> [GlobToken] {
    guard length > 0 else { throw .empty }
    guard length <= Glob.maximumLength else { throw .tooLong }
    try checkSlashes()
    if next == globSlash { offset += 1 }
    var tokens: [GlobToken] = []
    while let character = next {
      offset += 1
      switch character {
      case UInt32(ascii: "*"): tokens.append(stars())
      case UInt32(ascii: "?"): tokens.append(.any)
      case UInt32(ascii: "["): tokens.append(.set(try set()))
      case UInt32(ascii: "\\"):
        guard let escaped = next else { throw .endsInBackslash }
        offset += 1
        tokens.append(.one(escaped))
      default: tokens.append(.one(character))
      }
    }
    return tokens
  }

  private var next: UInt32? {
    offset < characters.count ? characters[offset] : nil
  }

  private func checkSlashes() throws(GlobError) {
    if characters.last == globSlash { throw .endsInSlash }
    // An address of a remote photo does hold two slashes.
    let isAddress = characters.starts(with: "http".unicodeScalars.map(\.value))
    let hasEmptyPart = zip(characters, characters.dropFirst()).contains { $0 == globSlash && $1 == globSlash }
    if hasEmptyPart, !isAddress { throw .emptyPart }
  }

  /// Reads the rest of a run of stars, whose first one has been taken.
  private mutating func stars() -> GlobToken {
    let start = offset - 1
    while next == UInt32(ascii: "*") { offset += 1 }
    guard offset - start > 1 else { return .run }
    let beginsPart = start == 0 || characters[start - 1] == globSlash
    if beginsPart, next == globSlash {
      offset += 1
      return .folders
    }
    return .runAcross
  }

  /// Reads a set whose opening bracket has been taken.
  private mutating func set() throws(GlobError) -> GlobSet {
    var set = GlobSet()
    if next == UInt32(ascii: "!") || next == UInt32(ascii: "^") {
      set.isNegated = true
      offset += 1
    }
    while true {
      if next == UInt32(ascii: "]"), !set.ranges.isEmpty {
        offset += 1
        return set
      }
      if next == UInt32(ascii: "["), offset + 1 < characters.count, characters[offset + 1] == UInt32(ascii: ":") {
        throw .namedSet
      }
      let low = try member()
      let isRange =
        next == UInt32(ascii: "-") && offset + 1 < characters.count && characters[offset + 1] != UInt32(ascii: "]")
      guard isRange else {
        set.ranges.append(low...low)
        continue
      }
      offset += 1
      let high = try member()
      guard low <= high else { throw .rangeBackwards }
      set.ranges.append(low...high)
    }
  }

  private mutating func member() throws(GlobError) -> UInt32 {
    guard let character = next else { throw .setNotClosed }
    offset += 1
    if character == globSlash { throw .slashInSet }
    guard character == UInt32(ascii: "\\") else { return character }
    guard let escaped = next else { throw .setNotClosed }
    if escaped == globSlash { throw .slashInSet }
    offset += 1
    return escaped
  }
}

extension UInt32 {
  fileprivate init(ascii scalar: Unicode.Scalar) {
    self = scalar.value
  }
}
