import Ingest

/// Turns the bytes of one value into what they mean. Every refusal says where the value came from and what is wanted.
extension Settings.Given {
  var text: String { String(decoding: value, as: UTF8.self) }

  func refused(_ problem: String, suggestion: String? = nil) -> UsageError {
    .badValue(origin, option: option.dashed, value: text, problem: problem, suggestion: suggestion)
  }

  /// A file or folder name.
  func path() throws(UsageError) -> [UInt8] {
    if value.isEmpty { throw refused("is no name") }
    if value.contains(0) { throw refused("holds a NUL, which no name can") }
    return value
  }

  /// A whole number within the range of the option's row.
  func count() throws(UsageError) -> Int {
    guard case .count(let range) = option.value else { throw refused("is not expected here") }
    return try whole(value[...], in: range, shown: "\(range.lowerBound) through \(range.upperBound)")
  }

  /// A number of pixels (`M` is million) or of bytes (`M` is MiB).
  func size() throws(UsageError) -> Int {
    let range: ClosedRange<Int>
    let unit: Int
    switch option.value {
    case .pixels(let limits): (range, unit) = (limits, 1_000_000)
    case .memory(let limits): (range, unit) = (limits, 1 << 20)
    default: throw refused("is not expected here")
    }
    let hasUnit = value.last == UInt8(ascii: "M") || value.last == UInt8(ascii: "m")
    let digits = hasUnit ? value.dropLast() : value[...]
    let lowest = range.lowerBound % unit == 0 ? "\(range.lowerBound / unit)M" : "\(range.lowerBound)"
    let shown = "\(lowest) through \(range.upperBound / unit)M"
    guard let number = Self.number(digits) else { throw refused("is not a whole number, with or without M") }
    let (scaled, isTooLarge) = number.multipliedReportingOverflow(by: hasUnit ? unit : 1)
    guard !isTooLarge, range.contains(scaled) else { throw refused("is out of range: \(shown)") }
    return scaled
  }

  /// Seconds with up to nine decimals. Zero is refused where the row's range begins above it or a limit is meant.
  func seconds(allowsZero: Bool) throws(UsageError) -> Duration {
    guard case .seconds(let range) = option.value else { throw refused("is not expected here") }
    guard let duration = Self.decimalSeconds(value) else { throw refused("is not a number of seconds") }
    guard duration <= .seconds(range.upperBound), allowsZero || duration > .zero else {
      throw refused("is out of range: \(allowsZero ? "0" : "more than 0") through \(range.upperBound) seconds")
    }
    return duration
  }

  /// `fail`, `skip`, `wait` or `wait=SECONDS`: how long to wait for the output folder, and whether finding it taken is
  /// no fault.
  func lock() throws(UsageError) -> (LockPatience, isSkipped: Bool) {
    switch text {
    case "fail": return (.none, false)
    case "skip": return (.none, true)
    case "wait": return (.forever, false)
    default: break
    }
    let prefix = Array("wait=".utf8)
    guard value.starts(with: prefix) else {
      throw refused(
        "is none of fail, skip, wait, wait=SECONDS",
        suggestion: Suggestion.nearest(to: value, among: ["fail", "skip", "wait"]))
    }
    guard let limit = Self.decimalSeconds(Array(value.dropFirst(prefix.count))) else {
      throw refused("does not wait for a number of seconds")
    }
    guard limit <= .seconds(Self.longestWait) else {
      throw refused("is out of range: 0 through \(Self.longestWait) seconds")
    }
    return (.atMost(limit), false)
  }

  /// 30 days.
  private static let longestWait = 2_592_000

  /// `N`, or `N%` with decimals.
  func share() throws(UsageError) -> Share {
    guard value.last == UInt8(ascii: "%") else {
      guard let number = Self.number(value[...]) else { throw refused("is neither a whole number nor a share like 5%") }
      return .count(number)
    }
    guard let percent = Self.decimal(Array(value.dropLast())) else {
      throw refused("is neither a whole number nor a share like 5%")
    }
    guard percent <= 100 else { throw refused("is out of range: 0% through 100%") }
    return .percent(percent)
  }

  enum Share: Sendable, Hashable {
    case count(Int)
    case percent(Double)
  }

  /// One of the words of the option's row.
  func choice<Choice: RawRepresentable>(_ type: Choice.Type) throws(UsageError) -> Choice
  where Choice.RawValue == String {
    let word = try word()
    guard let choice = Choice(rawValue: word) else { throw refused("is not expected here") }
    return choice
  }

  /// One of the words of the option's row.
  func word() throws(UsageError) -> String {
    guard case .choice(let words) = option.value else { throw refused("is not expected here") }
    guard words.contains(text) else {
      throw refused(
        "is none of \(words.joined(separator: ", "))", suggestion: Suggestion.nearest(to: value, among: words))
    }
    return text
  }

  /// Some of the words of the option's row, with commas between.
  func words() throws(UsageError) -> [String] {
    guard case .choices(let words) = option.value else { throw refused("is not expected here") }
    var chosen: [String] = []
    for item in value.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
      let word = String(decoding: item, as: UTF8.self)
      guard words.contains(word) else {
        throw .badValue(
          origin, option: option.dashed, value: word, problem: "is none of \(words.joined(separator: ", "))",
          suggestion: Suggestion.nearest(to: Array(item), among: words))
      }
      chosen.append(word)
    }
    return chosen
  }

  private func whole(_ digits: ArraySlice<UInt8>, in range: ClosedRange<Int>, shown: String) throws(UsageError) -> Int {
    guard let number = Self.number(digits) else { throw refused("is not a whole number, \(shown)") }
    guard range.contains(number) else { throw refused("is out of range: \(shown)") }
    return number
  }

  /// Digits and nothing else; a number too large for `Int` is `Int.max`, which every range refuses.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }

  /// Digits, and perhaps a dot with more digits.
  private static func decimal(_ bytes: [UInt8]) -> Double? {
    let parts = bytes.split(separator: ASCII.dot, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.allSatisfy({ number($0) != nil }), first.count <= 15 else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  private static func decimalSeconds(_ bytes: [UInt8]) -> Duration? {
    let parts = bytes.split(separator: ASCII.dot, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = number(first) else { return nil }
    // More than ten digits are out of every range; the bound keeps the sum below from overflowing.
    let seconds = Duration.seconds(min(whole, 10_000_000_000))
    guard parts.count == 2 else { return seconds }
    guard number(parts[1]) != nil else { return nil }
    let padded = (parts[1].prefix(9) + Array(repeating: 0x30, count: max(0, 9 - parts[1].count)))
    guard let nanoseconds = number(padded) else { return nil }
    return seconds + .nanoseconds(nanoseconds)
  }
}
