import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds the manifest's order against what each `--order` promises.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct OrderTests {
  @Test func `I10: the order by name is natural on digits, then by bytes, and the same however files were made`()
    async throws
  {
    let expected = [
      "IMG_01.png", "IMG_1.png", "IMG_2.png", "IMG_10.png", "IMG_10a.png", "IMG_99999999999999999999999.png",
      "Z.png", "a/2/x.png", "a/10/x.png", "a-b.png", "a.png", "img_1.png", "\u{e9}.png",
    ]
    let order = try await [expected, expected.reversed(), expected.sorted()].asyncMap { names in
      let stage = try RunStage()
      for (index, name) in names.enumerated() { try stage.photo(name, Pictures.png(UInt8(index), 0, 0)) }
      try await stage.run(code: 0)
      return try stage.paths()
    }
    #expect(order[1] == order[0])
    #expect(order[2] == order[0])
    expectGolden(order[0].joined(separator: "\n"), is: expected.joined(separator: "\n"))
  }

  @Test func `the order by size is ascending, ties by name`() async throws {
    let stage = try RunStage()
    let picture = Pictures.png(1, 2, 3)
    for (name, padding) in [("b.png", 9), ("a10.png", 5), ("a9.png", 5), ("z.png", 0)] {
      try stage.photo(name, picture + [UInt8](repeating: 0, count: padding))
    }
    try await stage.run(["--order", "size"], code: 0)
    #expect(try stage.paths() == ["z.png", "a9.png", "a10.png", "b.png"])
  }

  @Test func `S7: the order by modification time sees nanoseconds, before 1970 too, ties by name`() async throws {
    let stage = try RunStage(["late.jpg", "b.jpg", "a.jpg", "nano.jpg", "old.jpg"])
    try stage.setModified("late.jpg", seconds: 1_700_000_001)
    try stage.setModified("nano.jpg", seconds: 1_700_000_000, nanoseconds: 123_456_789)
    for name in ["a.jpg", "b.jpg"] {
      try stage.setModified(name, seconds: 1_700_000_000, nanoseconds: 123_456_788)
    }
    try stage.setModified("old.jpg", seconds: -2, nanoseconds: 500_000_000)
    try await stage.run(["--order", "modified"], code: 0)
    #expect(try stage.paths() == ["old.jpg", "a.jpg", "b.jpg", "nano.jpg", "late.jpg"])
    #expect(try stage.row("nano.jpg").text("modified") == "2023-11-14T22:13:20.123456789Z")
    #expect(try stage.row("old.jpg").text("modified") == "1969-12-31T23:59:58.500000000Z")
  }

  @Test func `F6: the order by capture time goes by the clock in the photo, photos without one last by name`()
    async throws
  {
    let stage = try RunStage.ofSamples()
    try await stage.run(code: 3)
    let byName = try stage.rows()
    try await stage.run(["--order", "captured"], code: 3)
    let rows = try stage.rows()
    #expect(rows.map { $0.integer("index") } == Array(0..<rows.count))
    #expect(Set(rows.map(\.path)) == Set(byName.map(\.path)))
    let dated = rows.compactMap { row in row.captured.map { ($0.local, row.path) } }
    #expect(dated.count > 8)
    // Fractions of unlike length compare as digits because the shorter one is a prefix or differs earlier.
    #expect(dated.map(\.0) == dated.map(\.0).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(dated.map(\.1) != byName.filter { $0.captured != nil }.map(\.path))
    let undated = byName.filter { $0.captured == nil }.map(\.path)
    #expect(rows.suffix(undated.count).map(\.path) == undated)
    #expect(try Facts.lines(of: stage.output + "/manifest.jsonl").first?.text("order") == "captured")
  }
}

extension Sequence {
  func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
