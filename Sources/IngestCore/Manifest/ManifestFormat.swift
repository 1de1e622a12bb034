/// Names the manifests that can stand beside `manifest.jsonl`, each a pure function of it.
public enum ManifestFormat: String, CaseIterable, Sendable {
  case json
  case csv
  case sha256
  case bagit
  case prometheus

  /// Where it lies in the output folder; for BagIt a folder.
  public var fileName: String {
    switch self {
    case .json: "manifest.json"
    case .csv: "manifest.csv"
    case .sha256: "SHA256SUMS"
    case .bagit: "bag"
    case .prometheus: "photo-ingest.prom"
    }
  }
}
