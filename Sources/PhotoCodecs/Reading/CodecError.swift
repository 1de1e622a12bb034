/// Says what is wrong with a photo, in words without its name.
public struct CodecError: Error, Hashable, Sendable {
  public enum Code: Sendable, Hashable, CaseIterable {
    case truncated, corrupt, missingEndMarker, empty, notAnImage, unsupported, tooLarge
    /// The caller gave the decode up, or its time was over.
    case cancelled
  }

  public let code: Code
  /// What happened, then why, in the library's own words where it has any: "the file ends before the image does:
  /// Premature end of JPEG file". A limit is named with its figure.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
