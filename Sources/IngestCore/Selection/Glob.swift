/// Meets file names or paths with a pattern, in time linear in the pattern and in the path.
///
/// A pattern without `/` meets the file's name, wherever it is. With `/` it meets the whole path below the source
/// folder; a `/` in front only says so (`/*.jpg`: the photos at the top).
///
/// - `*` any characters within a part, also none and also a leading dot
/// - `**` any characters, `/` too; as a whole part (`a/**/b`, `**/b`) any number of folders, also none
/// - `?` one character, not `/`: one Unicode scalar, or one byte where the name is not UTF-8
/// - `[abc]`, `[a-z]`, `[!x]` or `[^x]` one character of a set or not of it, never `/`; `]` first is a member
/// - `\` before a character takes it literally, also inside a set
///
/// Upper and lower case differ.
public struct Glob: Sendable, Hashable {
  /// The pattern as it was given.
  public let pattern: [UInt8]
  private let tokens: [GlobToken]
  private let meetsWholePath: Bool

  /// Longest pattern in bytes; no path on Linux is longer.
  public static let maximumLength = 4096

  public init(_ pattern: [UInt8]) throws(GlobError) {
    self.pattern = pattern
    self.meetsWholePath = pattern.contains(globSlash8)
    var parser = GlobParser(pattern)
    self.tokens = try parser.tokens()
  }

  public func matches(_ path: RelativePath) -> Bool {
    let text = meetsWholePath ? path.bytes[...] : path.name
    // Every state is "the tokens before this one are used up". All live states step together over each character, so
    // no pattern can make it try the same thing twice.
    var states = GlobStates(tokens)
    states.enter(0)
    var reader = GlobCharacters(text)
    while let character = reader.next() {
      states.step(over: character)
      if states.isDead { return false }
    }
    return states.isAtEnd
  }
}

/// Holds the set of places in a pattern where a match may stand.
private struct GlobStates {
  private let tokens: [GlobToken]
  private var live: [Bool]
  private var entered: [Bool]
  private(set) var isDead = true

  init(_ tokens: [GlobToken]) {
    self.tokens = tokens
    live = Array(repeating: false, count: tokens.count + 1)
    entered = live
  }

  var isAtEnd: Bool { live[tokens.count] }

  /// Makes a place live, and those behind it that need no character.
  mutating func enter(_ place: Int) {
    var place = place
    while !entered[place] {
      live[place] = true
      entered[place] = true
      isDead = false
      guard place < tokens.count, tokens[place].canBeEmpty else { return }
      place += 1
    }
  }

  mutating func step(over character: UInt32) {
    let before = live
    for place in live.indices {
      live[place] = false
      entered[place] = false
    }
    isDead = true
    for place in tokens.indices where before[place] {
      switch tokens[place] {
      case .one(let wanted): if character == wanted { enter(place + 1) }
      case .any: if character != globSlash { enter(place + 1) }
      case .set(let set): if set.contains(character) { enter(place + 1) }
      case .run: if character != globSlash { enter(place) }
      case .runAcross: enter(place)
      case .folders:
        // It may end only behind a slash, so staying is not entering.
        live[place] = true
        isDead = false
        if character == globSlash { enter(place + 1) }
      }
    }
  }
}
