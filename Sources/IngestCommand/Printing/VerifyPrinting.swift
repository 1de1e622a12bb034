import Ingest

/// Tells what a verification finds: to people, to programs, or how far it is.
protocol VerifyPrinting: Sendable {
  /// Called from the command's thread.
  func hear(_ event: VerifyEvent)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}
