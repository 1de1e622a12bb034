import IngestCore
import IngestFiles

/// Names what a run may find of its own in an output folder.
enum OutputNames {
  /// Folders that hold results and nothing of the user's.
  static let folders = ["thumbnails", "originals", "bag", ".photo-ingest"]
}

extension OutputFolder {
  /// Manifests beside `manifest.jsonl` that an earlier run left: they are kept current, or they would contradict it.
  var standingManifests: Set<ManifestFormat> {
    Set([ManifestFormat.json, .csv, .sha256].filter { hasFile($0.fileName) })
  }
}
