import Ingest
import IngestCore

/// Tells what a run does and what came of it: to people, to programs or to a log. All are fed the same events.
protocol RunPrinting: Sendable {
  /// Called from several threads. With several folders an event of one of them names its album.
  func hear(_ event: RunEvent, of album: Album?)
  /// One album of several has ended.
  func hear(endOf result: AlbumResult)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}

extension RunPrinting {
  func hear(_ event: RunEvent) { hear(event, of: nil) }

  func hear(endOf result: AlbumResult) {}

  func hear(_ event: AlbumsEvent) {
    switch event {
    case .run(let event, let album): hear(event, of: album)
    case .ended(let result): hear(endOf: result)
    }
  }
}

/// Names what a run was given and where its results lie, for the words at its end.
struct RunPlace: Sendable {
  /// Each FOLDER, in order.
  var sources: [[UInt8]]
  var output: [UInt8]
  var manifests: Set<ManifestFormat> = [.json]
  var hasThumbnails = true

  init(_ configuration: RunConfiguration, folders: [[UInt8]]? = nil) {
    sources = folders ?? [configuration.source]
    output = configuration.output
    manifests = configuration.manifests
    hasThumbnails = !configuration.thumbnailSizes.isEmpty
  }

  /// The place of one of several albums.
  func of(_ album: Album) -> RunPlace {
    var place = self
    place.sources = [album.source]
    place.output = album.output
    return place
  }
}
