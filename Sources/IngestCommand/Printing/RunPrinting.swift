import Ingest
import IngestCore

/// Tells what a run does and what came of it: to people, to programs or to a log. All are fed the same events.
protocol RunPrinting: Sendable {
  /// Called from several threads.
  func hear(_ event: RunEvent)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}

/// Names what a run was given and where its results lie, for the words at its end.
struct RunPlace: Sendable {
  var source: [UInt8]
  var output: [UInt8]
  var manifests: Set<ManifestFormat> = [.json]
  var hasThumbnails = true

  init(_ configuration: RunConfiguration) {
    source = configuration.source
    output = configuration.output
    manifests = configuration.manifests
    hasThumbnails = !configuration.thumbnailSizes.isEmpty
  }
}
