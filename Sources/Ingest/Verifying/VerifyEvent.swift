/// Tells what a verification is doing.
public enum VerifyEvent: Sendable {
  /// How many files are to be looked at.
  case began(files: Int)
  case progressed(finished: Int, of: Int)
  /// In the order of the manifest, then what the manifest does not list.
  case finding(VerifyFinding)
  case message(RunEvent.Level, String)
}
