import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GlobTests {
  @Test(arguments: [
    // Without a slash: the name.
    ("*.jpg", "a.jpg", true), ("*.jpg", "x/y/a.jpg", true), ("*.jpg", "a.JPG", false), ("*.jpg", ".jpg", true),
    ("*", "x/.hidden", true), ("x", "x/a.jpg", false), ("a.jpg", "x/a.jpg", true), ("**.jpg", "x/a.jpg", true),
    ("IMG_????.jpg", "IMG_0001.jpg", true), ("IMG_????.jpg", "IMG_001.jpg", false),
    // With a slash: the path.
    ("x/*.jpg", "x/a.jpg", true), ("x/*.jpg", "x/y/a.jpg", false), ("x/*.jpg", "z/x/a.jpg", false),
    ("/*.jpg", "a.jpg", true), ("/*.jpg", "x/a.jpg", false), ("/x/*", "x/a", true),
    ("x/**", "x/a.jpg", true), ("x/**", "x/y/z/a.jpg", true), ("x/**", "xa/b", false), ("x/**", "x", false),
    ("**/a.jpg", "a.jpg", true), ("**/a.jpg", "x/y/a.jpg", true), ("**/a.jpg", "x/ba.jpg", false),
    ("x/**/a", "x/a", true), ("x/**/a", "x/y/a", true), ("x/**/a", "x/y/z/a", true), ("x/**/a", "xa", false),
    ("x/**/a", "x/ya", false), ("x/**/y/**/a", "x/y/a", true), ("x/**/y/**/a", "x/1/y/2/3/a", true),
    ("x/**/y/**/a", "x/a", false), ("x/***/a", "x/y/z/a", true), ("x/a**z/b", "x/a/q/z/b", true),
    ("x**.jpg", "x/y.jpg", false), ("x/?/a", "x/y/a", true), ("x?a/b", "x/a/b", false), ("**/**/a", "a", true),
    ("https://*/**/*.jpg", "https://host/p/a.jpg", true), ("https://*/*.jpg", "https://host/p/a.jpg", false),
    // Sets.
    ("[abc].x", "b.x", true), ("[abc].x", "d.x", false), ("[a-c].x", "b.x", true), ("[a-c].x", "B.x", false),
    ("[!a-c].x", "d.x", true), ("[!a-c].x", "a.x", false), ("[^a].x", "b.x", true), ("[]a].x", "].x", true),
    ("[!]].x", "].x", false), ("[a-].x", "-.x", true), ("[-a].x", "-.x", true), ("[\\]].x", "].x", true),
    ("[\\-a].x", "-.x", true), ("[a\\-z].x", "m.x", false), ("[[].x", "[.x", true), ("x[!a]y/b", "x/y/b", false),
    ("[!!].x", "!.x", false), ("[\u{E0}-\u{FF}].x", "\u{E9}.x", true), ("[a-z].x", "\u{E9}.x", false),
    // Backslashes.
    ("\\*.x", "*.x", true), ("\\*.x", "a.x", false), ("a\\\\b", "a\\b", true), ("\\a", "a", true),
    ("\\[a]", "[a]", true), ("a\\/b", "a/b", true), ("a\\/b", "b", false),
    // Characters.
    ("caf?.x", "caf\u{E9}.x", true), ("caf??.x", "caf\u{E9}.x", false), ("caf??.x", "cafe\u{301}.x", true),
    ("*?", "\u{1F4F7}", true), ("*??", "\u{1F4F7}", false), ("caf\u{E9}", "cafe\u{301}", false),
    ("a{b,c}", "a{b,c}", true), ("a\nb*", "a\nbc", true), ("*a*b*c", "xxaxxbxxc", true), ("*a*b*c", "xxbxxaxxc", false),
  ])
  func `a pattern meets what it should`(pattern: String, path: String, meets: Bool) throws {
    #expect(try Glob(Array(pattern.utf8)).matches(RelativePath(path)) == meets)
  }

  @Test func `names that are not UTF-8 are met byte by byte`() throws {
    let name = RelativePath(Array("caf".utf8) + [0xE9] + Array(".jpg".utf8))
    for pattern: [UInt8] in [
      Array("caf?.jpg".utf8), Array("*.jpg".utf8), Array("caf".utf8) + [0xE9, 0x2E, 0x6A, 0x70, 0x67],
      Array("caf[".utf8) + [0xE0, 0x2D, 0xEF] + Array("].jpg".utf8),
    ] {
      #expect(try Glob(pattern).matches(name))
    }
    #expect(try !Glob(Array("caf\u{E9}.jpg".utf8)).matches(name))
    #expect(try !Glob(Array("caf??.jpg".utf8)).matches(name))
    #expect(try !Glob(Array("caf[\u{0}-\u{FFFF}].jpg".utf8)).matches(name))
  }

  @Test(arguments: [
    ("", GlobError.empty), (String(repeating: "a", count: 4097), .tooLong), ("a\\", .endsInBackslash),
    ("raw/", .endsInSlash), ("/", .endsInSlash), ("a//b", .emptyPart), ("[abc", .setNotClosed), ("[", .setNotClosed),
    ("[]", .setNotClosed), ("[!", .setNotClosed), ("[!]", .setNotClosed), ("[a\\", .setNotClosed),
    ("[a-", .setNotClosed), ("[z-a]", .rangeBackwards), ("[a/b]", .slashInSet), ("[[:digit:]]", .namedSet),
  ])
  func `a malformed pattern is a typed error`(pattern: String, error: GlobError) {
    #expect(throws: error) { try Glob(Array(pattern.utf8)) }
    #expect(!error.description.isEmpty)
  }

  @Test func `every fault has a pattern that shows it`() {
    #expect(GlobError.allCases.count == 9)
  }

  @Test func `no pattern makes it slow`() throws {
    let text = RelativePath(String(repeating: "a", count: 4000) + "b")
    let paths = RelativePath(String(repeating: "a/", count: 2000) + "b")
    for (pattern, path) in [
      (String(repeating: "*a", count: 60) + "c", text), (String(repeating: "a*", count: 60) + "c", text),
      ("x/" + String(repeating: "**/a/", count: 30) + "c", paths),
      (String(repeating: "**/", count: 60) + "c", paths), (String(repeating: "*", count: 4000) + "c", text),
    ] {
      #expect(try !Glob(Array(pattern.utf8)).matches(path))
    }
  }

  @Test(arguments: [1, 2])
  func `it agrees with a plain recursive reading of its rules`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab/*?[]!-\\".utf8)
    var meetings = 0
    for _ in 0..<20_000 {
      let pattern = (0..<Int.random(in: 1...7, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
      let path = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Array("aab/".utf8).randomElement(using: &random) ?? 0
      }
      guard let glob = try? Glob(pattern), !pattern.contains(UInt8(ascii: "[")) else { continue }
      let text = pattern.contains(UInt8(ascii: "/")) ? path[...] : RelativePath(path).name
      let anchored = pattern.first == UInt8(ascii: "/") ? pattern.dropFirst() : pattern[...]
      let plain = plainlyMatches(anchored, text, atPartStart: true)
      if plain { meetings += 1 }
      #expect(glob.matches(RelativePath(path)) == plain, "\(pattern) \(path)")
    }
    #expect(meetings > 200)
  }

  @Test(arguments: [1, 2])
  func `no bytes make it trap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("a/*?[]!^-\\:\u{E9}\u{1F4F7}".utf8) + [0, 0x80, 0xFF, 0xF0, 0xED]
    for _ in 0..<20_000 {
      let bytes = { (random: inout SeededGenerator) in
        (0..<Int.random(in: 1...12, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
      }
      _ = try? Glob(bytes(&random)).matches(RelativePath(bytes(&random)))
    }
  }

  @Test func `exclude wins and includes narrow`() throws {
    let glob = { (text: String) in try Glob(Array(text.utf8)) }
    let filter = AssetFilter(include: [try glob("*.jpg"), try glob("raw/**")], exclude: [try glob("*_tmp*")])
    #expect(filter.accepts(RelativePath("x/a.jpg")))
    #expect(filter.accepts(RelativePath("raw/a.nef")))
    #expect(!filter.accepts(RelativePath("a.nef")))
    #expect(!filter.accepts(RelativePath("raw/a_tmp.jpg")))
    #expect(AssetFilter().accepts(RelativePath("anything")))
    #expect(!AssetFilter(exclude: [try glob("*")]).accepts(RelativePath("anything")))
  }

  @Test func `the extensions are those of the interface`() {
    #expect(PhotoExtensions.all.count == 27)
    for name in ["a.jpg", "x/a.JPG", "a.b.HeIc", "a.srw"] {
      #expect(PhotoExtensions.contains(RelativePath(name)))
    }
    for name in ["jpg", ".jpg", "a.jpg.txt", "a.", "a.JPG\u{307}", "a.txt", "jpg/a"] {
      #expect(!PhotoExtensions.contains(RelativePath(name)))
    }
  }
}

/// Tries every way a pattern without sets can be read.
private func plainlyMatches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, atPartStart: Bool) -> Bool {
  let slash = UInt8(ascii: "/")
  guard let first = pattern.first else { return text.isEmpty }
  if first == UInt8(ascii: "*") {
    let stars = pattern.prefix { $0 == UInt8(ascii: "*") }.count
    let rest = pattern.dropFirst(stars)
    if stars > 1, atPartStart, rest.first == slash {
      let behind = rest.dropFirst()
      let starts = [text.startIndex] + text.indices.filter { text[$0] == slash }.map { $0 + 1 }
      return starts.contains { plainlyMatches(behind, text[$0...], atPartStart: true) }
    }
    let longest = stars > 1 ? text.count : text.prefix { $0 != slash }.count
    return (0...longest).contains { plainlyMatches(rest, text.dropFirst($0), atPartStart: false) }
  }
  guard let byte = text.first else { return false }
  if first == UInt8(ascii: "?") {
    return byte != slash && plainlyMatches(pattern.dropFirst(), text.dropFirst(), atPartStart: false)
  }
  let escaped = first == UInt8(ascii: "\\")
  let literal = escaped ? pattern.dropFirst().first : first
  return literal == byte
    && plainlyMatches(pattern.dropFirst(escaped ? 2 : 1), text.dropFirst(), atPartStart: byte == slash)
}
