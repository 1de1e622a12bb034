import IngestCore
import Publishing

/// Holds what a server said of an original: what it takes to ask whether it is still the same.
struct FetchFacts: Sendable, Hashable {
  /// With its quotes, and `W/` where it is weak.
  var etag: String?
  var lastModified: String?
  /// Bytes of the whole original; nil when the server did not say.
  var bytes: Int64?

  init(etag: String? = nil, lastModified: String? = nil, bytes: Int64? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.bytes = bytes
  }

  /// Nil when the bytes are none of ours.
  init?(_ json: [UInt8]) {
    guard let value = try? JSONReader().read(json), value.objectValue != nil else { return nil }
    etag = value["etag"]?.stringValue
    lastModified = value["last_modified"]?.stringValue
    bytes = value["bytes"]?.integerValue
  }

  var json: [UInt8] {
    JSONWriter.line { writer in
      writer.member("bytes", bytes)
      writer.member("etag", etag)
      writer.member("last_modified", lastModified)
    }
  }

  /// What must still hold for the rest of a half fetched original to fit to it: a strong ETag, or a time (RFC 9110,
  /// 13.1.5); nil when nothing of that kind is known.
  var rangeValidator: String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }

  /// Whether the rest that an answer brings is of the version that these facts tell of: parts whose validators differ must
  /// not be joined (RFC 9110, 15.3.7.3), whatever the server was asked.
  func isOfSameVersion(_ answer: HTTPAnswer) -> Bool {
    func agrees(_ mine: String?, _ theirs: String?) -> Bool { mine == nil || theirs == nil || mine == theirs }
    return agrees(etag, answer.header("etag")) && agrees(lastModified, answer.header("last-modified"))
  }

  /// `lastModified` as a row spells times, `2024-07-01T02:13:00.000000000Z`; nil when it is no date of HTTP
  /// (`Mon, 01 Jul 2024 02:13:00 GMT`, RFC 9110, 5.6.7).
  var modifiedRFC3339: String? {
    guard let words = lastModified?.split(separator: " ", omittingEmptySubsequences: false), words.count == 6,
      words[0].utf8.count == 4, words[5] == "GMT", let day = Self.number(words[1], 1...31, digits: 2),
      let month = Self.months.firstIndex(of: String(words[2])), let year = Self.number(words[3], 1...9999, digits: 4)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23, digits: 2),
      let minute = Self.number(clock[1], 0...59, digits: 2), let second = Self.number(clock[2], 0...60, digits: 2)
    else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return "\(year)-\(number)-\(day)T\(hour):\(minute):\(second).000000000Z"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The text itself when it is a number of so many digits in a range.
  private static func number(_ text: Substring, _ range: ClosedRange<Int>, digits: Int) -> Substring? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      range.contains(number)
    else { return nil }
    return text
  }
}
