/// Writes figures for people, without a locale.
enum Counted {
  static func photos(_ count: Int) -> String { things(count, "photo", "photos") }

  static func things(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// A number with this many decimals, rounded half up.
  static func decimal(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, value >= 0, value < 1e12 else { return "?" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard decimals > 0 else { return String(scaled) }
    let digits = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// Bytes with a unit of thousands: `3.2 MB`.
  static func bytes(_ count: Double) -> String {
    var value = count
    for unit in ["B", "kB", "MB", "GB"] {
      if value < 999.5 { return decimal(value, unit == "B" || value >= 99.95 ? 0 : 1) + " " + unit }
      value /= 1000
    }
    return decimal(value, 1) + " TB"
  }

  /// `1.9 s`, `2 min 05 s`, `3 h 07 min`.
  static func time(_ duration: Duration) -> String {
    let seconds = max(0, Self.seconds(duration))
    if seconds < 59.95 { return decimal(seconds, 1) + " s" }
    let whole = Int(seconds.rounded())
    if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
    return "\(whole / 3600) h \(twoDigits(whole % 3600 / 60)) min"
  }

  /// `0:41`, `12:05`, `3:07:00`: what a clock shows.
  static func clock(_ duration: Duration) -> String {
    let whole = Int(max(0, min(Self.seconds(duration), 1e9)).rounded(.up))
    let minutes = "\(whole / 60 % 60)"
    if whole < 3600 { return "\(minutes):\(twoDigits(whole % 60))" }
    return "\(whole / 3600):\(twoDigits(whole / 60 % 60)):\(twoDigits(whole % 60))"
  }

  static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
