/// Says why a photo is not verified; the `error.code` of its row (interface version 1, "Manifest").
public enum FailureCode: String, Sendable, CaseIterable {
  case truncated
  case corrupt
  case missingEndMarker = "missing-end-marker"
  case empty
  case notAnImage = "not-an-image"
  case unsupported
  case unreadable
  case tooLarge = "too-large"
  case timeout
  case unstable
  case vanished
  case decoderCrashed = "decoder-crashed"
  case networkOff = "network-off"
  case fetchFailed = "fetch-failed"
}

/// Describes the failure of one photo: a value for its row, not an error that ends the run.
public struct LoadFailure: Error, Hashable, Sendable {
  public let code: FailureCode
  /// What happened, then why, in words without the photo's name: "the file ends before the image does: Premature
  /// end of JPEG file".
  public let message: String

  public init(_ code: FailureCode, _ message: String) {
    self.code = code
    self.message = message
  }
}
