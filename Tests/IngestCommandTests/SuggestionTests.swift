import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct SuggestionTests {
  @Test(arguments: [
    ("jbos", "jobs"), ("job", "jobs"), ("thumbnails", "thumbnail"), ("ouput", "output"), ("exlude", "exclude"),
    ("thumb", "thumbnail"), ("max-pixel", "max-pixels"), ("JOBS", "jobs"), ("no-thumbnail", "no-thumbnails"),
  ])
  func `a mistyped option finds its neighbour`(typed: String, meant: String) {
    let names = OptionTable.rows(of: .run).map(\.name)
    #expect(Suggestion.nearest(to: Array(typed.utf8), among: names) == meant)
  }

  @Test(arguments: ["", "x", "zzzzzz", "photographs", "\u{FFFD}\u{FFFD}"])
  func `a word that is near to nothing gets no suggestion`(typed: String) {
    #expect(Suggestion.nearest(to: Array(typed.utf8), among: CommandWord.allCases.map(\.rawValue)) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("run", "rn", 1), ("jbos", "jobs", 1), ("kitten", "sitting", 3),
    ("ca", "abc", 3),
  ])
  func `mistakes are counted, swapped neighbours as one`(a: String, b: String, distance: Int) {
    #expect(Suggestion.distance(Array(a.utf8), Array(b.utf8)) == distance)
    #expect(Suggestion.distance(Array(b.utf8), Array(a.utf8)) == distance)
  }
}
