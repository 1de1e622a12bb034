// A release build with the runtime linked in builds this room too, and has no Testing.
#if canImport(Testing)
  import Foundation
  public import Testing

  /// Expects a text that users see to be exactly the golden one; a failure shows the difference line by line.
  public func expectGolden(
    _ actual: String, is expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let difference = textDifference(expected: expected, actual: actual) else { return }
    Issue.record("the text is not the golden one\n\(difference)", sourceLocation: sourceLocation)
  }

  /// Expects a text to be exactly the bytes of the golden file beside the test.
  ///
  /// With `PHOTO_INGEST_WRITE_GOLDEN` set the file is written instead, and the test fails once to say so.
  public func expectGolden(
    _ actual: String, isFile name: String, besideTest test: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let url = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["PHOTO_INGEST_WRITE_GOLDEN"] != nil {
      do {
        try Data(actual.utf8).write(to: url)
        Issue.record("\(name) was written; look at it and run again", sourceLocation: sourceLocation)
      } catch {
        Issue.record(error, "\(name) could not be written", sourceLocation: sourceLocation)
      }
      return
    }
    guard let golden = try? Data(contentsOf: url) else {
      Issue.record("the golden file \(name) cannot be read", sourceLocation: sourceLocation)
      return
    }
    guard let difference = bytesDifference(expected: Array(golden), actual: Array(actual.utf8)) else { return }
    Issue.record("the text is not that of \(name)\n\(difference)", sourceLocation: sourceLocation)
  }
#endif
