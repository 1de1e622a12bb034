import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct FetchFactsTests {
  @Test(
    arguments: [
      ("Mon, 01 Jul 2024 02:13:00 GMT", "2024-07-01T02:13:00.000000000Z"),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000000000Z"), ("Sun, 06 Nov 1994 08:49:37 +0000", nil),
      ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("", nil),
      ("Sun, 06 Nov 1994", nil),
      ("Sun, 06 Nov 0000 08:49:37 GMT", nil), ("Sun, ٠٦ Nov 1994 08:49:37 GMT", nil),
    ] as [(String, String?)])
  func `times of servers are spelled as a row spells them, and what is none is not`(text: String, row: String?) {
    #expect(FetchFacts(lastModified: text).modifiedRFC3339 == row)
  }

  @Test func `facts come back as they were kept, and a rest needs a strong one`() {
    let facts = FetchFacts(etag: "\"a\\\"", lastModified: "Mon, 01 Jul 2024 02:13:00 GMT", bytes: 12)
    #expect(FetchFacts(facts.json) == facts)
    #expect(facts.rangeValidator == "\"a\\\"")
    #expect(FetchFacts(etag: "W/\"a\"").rangeValidator == nil)
    #expect(FetchFacts(etag: "W/\"a\"", lastModified: "x").rangeValidator == "x")
    #expect(FetchFacts(Array("[1]".utf8)) == nil)
    #expect(FetchFacts(Array("{".utf8)) == nil)
  }

  @Test(
    arguments: [
      ("bytes 100-199/200", 100, 200), ("bytes 0-0/*", 0, nil), ("Bytes 5-9/10", 5, 10), ("bytes 5-4/10", nil, nil),
      ("bytes 5-10/10", nil, nil), ("bytes */10", nil, nil), ("items 1-2/3", nil, nil), ("bytes 1-2", nil, nil),
      ("bytes -1-2/3", nil, nil), ("bytes 1-99999999999999999999/100", nil, nil), ("", nil, nil),
    ] as [(String, Int64?, Int64?)])
  func `ranges are read as RFC 9110 has them`(text: String, start: Int64?, total: Int64?) {
    let range = FetchAttempt.range(text)
    #expect(range?.start == start)
    #expect(range?.total == total)
  }

  @Test(arguments: [
    ("https://b.example/a.jpg", false), ("HTTPS://b.example/a.jpg", false), ("http://127.0.0.1:80/a.jpg", false),
    ("http://b.example/a.jpg", true), ("http://b.example/a b.jpg", true), ("http://", true), ("", true),
    ("ftp://b.example/a.jpg", true), ("https://b.example/a b.jpg", false),
  ])
  func `an answer from where others can read is refused, also when its address cannot be parsed`(
    address: String, isExposed: Bool
  ) {
    #expect(FetchAttempt.isExposed(address) == isExposed)
  }
}
