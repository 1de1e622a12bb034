/// Names the program and its version, in one place.
enum Version {
  static let program = "photo-ingest"
  static let number = "0.1.0"
  /// The day of this version, for the foot of manual pages, as mdoc wants it.
  static let day = "November 30, 2026"
  static let line = "\(program) \(number)"
}
