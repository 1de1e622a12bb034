/// Names the program and its version, in one place.
enum Version {
  static let program = "photo-ingest"
  static let number = "0.1.0"
  static let line = "\(program) \(number)"
}
