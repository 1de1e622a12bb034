import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct SafeTextTests {
  @Test(arguments: [
    ("plain name.jpg", "plain name.jpg"),
    ("a\nb\r\tc", "a\\nb\\r\\tc"),
    ("\u{1B}[31mred\u{07}", "\\x1b[31mred\\x07"),
    ("\u{7F}\u{85}\u{9B}2J", "\\x7f\\x85\\x9b2J"),
    ("photo\u{202E}gpj.exe", "photo\\u{202e}gpj.exe"),
    ("\u{2066}x\u{2069}\u{200F}\u{61C}", "\\u{2066}x\\u{2069}\\u{200f}\\u{61c}"),
    ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
    ("\u{FEFF}x", "\\u{feff}x"),
    ("日本語 é e\u{301} 👩\u{200D}👧", "日本語 é e\u{301} 👩\u{200D}👧"),
    ("\r\n", "\\r\\n"),
  ])
  func `nothing that steers a terminal gets through`(text: String, clean: String) {
    #expect(Array(SafeText.cleaned(text).utf8) == Array(clean.utf8))
  }

  @Test func `bytes that are not UTF-8 are shown as replacement marks`() {
    #expect(SafeText.cleaned([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("holiday/day1", 6, "…/day1"), ("日本語", 5, "…本語"), ("日本語", 4, "…語"), ("abc", 1, "…"),
    ("abc", 0, ""), ("ae\u{301}", 1, "…"),
  ])
  func `the end of a name is kept when it is cut`(text: String, columns: Int, expected: String) {
    let cut = Columns.tail(text, fitting: columns)
    #expect(cut == expected)
    #expect(Columns.count(cut) <= columns)
  }

  @Test(arguments: [("abc", 2, "ab"), ("日本", 3, "日"), ("", 3, "")])
  func `the start of a text is kept when it is too long`(text: String, columns: Int, expected: String) {
    #expect(Columns.head(text, fitting: columns) == expected)
  }
}
