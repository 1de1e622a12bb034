import IngestCore
import IngestFiles

/// Names what a run may find of its own in an output folder.
enum OutputNames {
  /// Folders that hold results and nothing of the user's.
  static let folders = ["thumbnails", "originals", "bag", ".photo-ingest"]

  /// The folder of ours that no scan may enter: the output folder, or the one that holds it and other albums.
  static func outermostFolder(_ configuration: RunConfiguration) -> FolderIdentity? {
    FolderIdentity.of(configuration.holdsAlbums ?? configuration.output)
  }
}

extension OutputFolder {
  /// Manifests beside `manifest.jsonl` that an earlier run left: they are kept current, or they would contradict it.
  var standingManifests: Set<ManifestFormat> {
    Set([ManifestFormat.json, .csv, .sha256].filter { hasFile($0.fileName) })
  }
}
