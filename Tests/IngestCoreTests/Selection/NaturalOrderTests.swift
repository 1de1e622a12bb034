import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NaturalOrderTests {
  /// Sorted by comparing pairs and by keys, which must come to the same.
  private func sorted(_ names: [String]) -> [String] {
    let paths = names.map { RelativePath($0) }
    let byPairs = paths.sorted(by: NaturalOrder.areInIncreasingOrder)
    #expect(NaturalOrder.sortedPlaces(of: paths).map { paths[$0] } == byPairs)
    return byPairs.map(\.display)
  }

  @Test(arguments: [
    ["IMG_1", "IMG_2", "IMG_10", "img_1"],
    ["007", "07", "7", "8", "10"],
    ["a", "a/b", "a/b/c", "a.jpg", "a1", "ab"],
    ["a/2/x", "a/10/x", "a!/1"],
    ["a\u{1}b", "a b", "a-b", "a.b", "a0", "a1b", "a01c", "a1c", "a:b", "aB", "a_b"],
    ["x1y2", "x1y10", "x01z", "x2y1"],
    ["1.2.3", "1.2.10", "1.10.0"],
    ["99999999999999999999", "100000000000000000000", "100000000000000000001"],
    ["cafe\u{301}", "caf\u{E9}"],
    ["\u{661}", "\u{661}\u{660}", "\u{662}"],
  ])
  func `names stand in this order, however they came`(expected: [String]) {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<10 {
      #expect(sorted(expected.shuffled(using: &random)) == expected)
    }
  }

  @Test func `names of equal value are ordered by their bytes after everything else`() {
    #expect(sorted(["img1/a", "img01/b", "img001/a"]) == ["img001/a", "img1/a", "img01/b"])
  }

  @Test func `it is a strict total order`() {
    // Short names over few letters meet in every possible way.
    var random = SeededGenerator(seed: 5)
    let alphabet = Array("019a/.\u{1}".utf8) + [0xFF]
    let names = Set(
      (0..<90).map { _ in
        (0..<Int.random(in: 1...5, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      }
    ).map { RelativePath($0) }
    var faults = 0
    for a in names {
      if NaturalOrder.compare(a, a) != 0 { faults += 1 }
      for b in names where a != b {
        let order = NaturalOrder.compare(a, b)
        if order == 0 || order.signum() != -NaturalOrder.compare(b, a).signum() { faults += 1 }
        guard order < 0 else { continue }
        for c in names where NaturalOrder.compare(b, c) < 0 && NaturalOrder.compare(a, c) >= 0 { faults += 1 }
      }
    }
    #expect(names.count > 60)
    #expect(faults == 0)
  }

  @Test func `it agrees with a slow and plain reading of the rule`() {
    var random = SeededGenerator(seed: 6)
    let alphabet = Array("0012349ab/._-\u{E9}".utf8)
    for _ in 0..<30_000 {
      let pair = (0..<2).map { _ in
        RelativePath(
          (0..<Int.random(in: 1...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      }
      let plain = PlainPath(pair[0]) < PlainPath(pair[1])
      #expect(NaturalOrder.areInIncreasingOrder(pair[0], pair[1]) == plain)
    }
  }

  @Test(arguments: ["0012349ab/._-", "01/", "aaaaaaaa/0", "\u{1}\u{2}./0129:z\u{E9}"])
  func `sorting many paths by keys comes to the same as comparing pairs`(letters: String) {
    var random = SeededGenerator(seed: 12)
    let alphabet = Array(letters.utf8) + (letters.count > 12 ? [0, 0xFF] : [])
    for longest in [1, 4, 9, 40] {
      // Some come twice, and those keep the order in which they came.
      let paths = (0..<1500).map { _ in
        RelativePath(
          (0..<Int.random(in: 1...longest, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      }
      let byPairs = paths.indices.sorted {
        let order = NaturalOrder.compare(paths[$0], paths[$1])
        return order == 0 ? $0 < $1 : order < 0
      }
      #expect(NaturalOrder.sortedPlaces(of: paths) == byPairs)
    }
  }

  @Test func `a number may be longer than a byte can count`() {
    let names = [0, 1, 200, 253, 254, 255, 300, 508, 509, 1000].map { String(repeating: "7", count: $0) + "-" }
    #expect(sorted(names.shuffled()) == names)
    #expect(NaturalOrder.sortedPlaces(of: []) == [])
  }

  @Test func `a long folder is counted through`() {
    var random = SeededGenerator(seed: 8)
    let paths = (0..<5_000).map { RelativePath("2024/holiday/IMG_\($0).jpg") }
    #expect(paths.shuffled(using: &random).sorted(by: NaturalOrder.areInIncreasingOrder) == paths)
  }
}

/// The rule of the order word by word, for comparison.
private struct PlainPath: Comparable {
  private let path: RelativePath
  private let parts: [[[UInt8]]]

  init(_ path: RelativePath) {
    self.path = path
    parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { part in
      var tokens: [[UInt8]] = []
      for byte in part {
        if Self.isDigit(byte), let last = tokens.last?.last, Self.isDigit(last) {
          tokens[tokens.count - 1].append(byte)
        } else {
          tokens.append([byte])
        }
      }
      return tokens.map { Self.isDigit($0[0]) ? [UInt8(ascii: "0")] + $0.drop { $0 == UInt8(ascii: "0") } : $0 }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func < (left: PlainPath, right: PlainPath) -> Bool {
    for (a, b) in zip(left.parts, right.parts) where a != b {
      for (x, y) in zip(a, b) where x != y {
        if isDigit(x[0]), isDigit(y[0]), x.count != y.count { return x.count < y.count }
        return x.lexicographicallyPrecedes(y)
      }
      return a.count < b.count
    }
    if left.parts.count != right.parts.count { return left.parts.count < right.parts.count }
    return left.path.bytes.lexicographicallyPrecedes(right.path.bytes)
  }
}
