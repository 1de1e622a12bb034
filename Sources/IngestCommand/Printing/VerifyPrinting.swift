import Ingest
import IngestCore

/// Tells what a verification finds: to people, to programs, or how far it is.
protocol VerifyPrinting: Sendable {
  /// Called from the command's thread.
  /// With several albums an event names the one that it is about.
  func hear(_ event: VerifyEvent, of album: RelativePath?)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}

extension VerifyPrinting {
  func hear(_ event: VerifyEvent) { hear(event, of: nil) }
}
