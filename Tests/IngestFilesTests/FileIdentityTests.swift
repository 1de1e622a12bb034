import Glibc
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct FileIdentityTests {
  @Test(arguments: [
    (0 as Int64, "1970-01-01T00:00:00.123456789Z"),
    (1_719_799_980, "2024-07-01T02:13:00.123456789Z"),
    (-1, "1969-12-31T23:59:59.123456789Z"),
    (951_782_400, "2000-02-29T00:00:00.123456789Z"),
    (4_107_542_399, "2100-02-28T23:59:59.123456789Z"),
    (4_107_542_400, "2100-03-01T00:00:00.123456789Z"),
    (-11_670_998_400, "1600-02-29T00:00:00.123456789Z"),
    (-62_167_219_200, "0000-01-01T00:00:00.123456789Z"),
    (-62_167_219_201, "-0001-12-31T23:59:59.123456789Z"),
    (253_402_300_800, "10000-01-01T00:00:00.123456789Z"),
  ])
  func `a time is written with nine digits in UTC`(seconds: Int64, text: String) {
    #expect(CalendarTime(secondsSince1970: seconds).text(nanoseconds: 123_456_789) == text)
    let time = FileIdentity.time(rfc3339: text)
    #expect(time?.seconds == seconds && time?.nanoseconds == 123_456_789)
  }

  @Test func `every time that was written is read back`() {
    for step in 0..<20_000 as Range<Int64> {
      let seconds = step * 86_400 * 137 + step * 1_009 - 3000 * 366 * 86_400
      let text = CalendarTime(secondsSince1970: seconds).text(nanoseconds: Int(step))
      let time = FileIdentity.time(rfc3339: text)
      #expect(time?.seconds == seconds && time?.nanoseconds == Int32(step), "\(text)")
    }
  }

  @Test(arguments: [
    "", "Z", "2024-02-30T00:00:00.000000000Z", "2024-01-01T00:00:00Z", "2024-13-01T00:00:00.000000000Z",
    "2024-01-01T24:00:00.000000000Z", "2024-01-01 00:00:00.000000000Z", "24-01-01T00:00:00.000000000Z",
    "99999999999999999999-01-01T00:00:00.000000000Z", "2024-01-01T00:00:00.000000000+", "-----------",
    "999999999999999-01-01T00:00:00.000000000Z", "-999999999999999-12-31T00:00:00.000000000Z",
    "292277026597-01-01T00:00:00.000000000Z", "999999999999-99-99T99:99:99.999999999Z",
  ])
  func `another text is no time`(text: String) {
    #expect(FileIdentity.time(rfc3339: text) == nil)
  }

  @Test func `the C library agrees over all kinds of years`() {
    for step in 0..<20_000 as Range<Int64> {
      var seconds = time_t(step * 86_400 * 37 + step * 1_009 - 400 * 366 * 86_400)
      var parts = unsafe tm()
      _ = unsafe gmtime_r(&seconds, &parts)
      let mine = CalendarTime(secondsSince1970: Int64(seconds))
      let theirs = unsafe [
        Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday),
        Int(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec),
      ]
      #expect([Int(mine.year), mine.month, mine.day, mine.secondOfDay] == theirs)
    }
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `no time traps`(seconds: Int64) {
    let text = CalendarTime(secondsSince1970: seconds).text(nanoseconds: 0)
    #expect(text.hasSuffix(".000000000Z"))
    #expect([nil, seconds].contains(FileIdentity.time(rfc3339: text)?.seconds))
  }

  @Test func `a file's own time comes out to the nanosecond`() throws {
    let tree = TestTree()
    try tree.file("a.jpg")
    let time = timespec(tv_sec: 1_719_799_980, tv_nsec: 123_456_789)
    #expect(unsafe utimensat(AT_FDCWD, tree.cPath("a.jpg"), [time, time], 0) == 0)
    #expect(try tree.identity("a.jpg").modifiedRFC3339 == "2024-07-01T02:13:00.123456789Z")
  }
}
