import IngestCore
import IngestFiles

/// Says in a few words which manifests lie in the output folder and what they were made of.
///
/// Kept in the catalogue beside the rows; when it would be the same again, the manifests are what they would be, and nothing
/// is written. A row that changes drops it in the same step, so that a run that is killed leaves no wrong one behind.
struct ManifestState {
  /// In the catalogue.
  static let key = "manifest"

  private let text: String

  /// - Parameters:
  ///   - formats: beside `manifest.jsonl`.
  ///   - rows: a mark of which rows are listed, and in which order.
  init(_ output: OutputFolder, _ configuration: RunConfiguration, formats: Set<ManifestFormat>, rows: String) {
    let names = ["manifest.jsonl"] + formats.filter(\.isKeptCurrent).map(\.fileName).sorted()
    let files = names.map { name in
      guard let now = output.identity(ofFile: name) else { return "\(name)=missing" }
      return "\(name)=\(now.inode),\(now.size),\(now.modifiedSeconds).\(now.modifiedNanoseconds),"
        + "\(now.changedSeconds).\(now.changedNanoseconds)"
    }
    text =
      "order=\(configuration.order.rawValue) unsupported=\(configuration.unsupported.rawValue) rows=\(rows) "
      + files.joined(separator: " ")
  }

  /// Whether it describes these very files.
  func agrees(with remembered: String?) -> Bool {
    text == remembered && !text.contains("=missing")
  }

  var value: String { text }
}

extension ManifestFormat {
  /// Whether it is a file of rows that the run itself keeps in step with `manifest.jsonl`.
  var isKeptCurrent: Bool {
    switch self {
    case .json, .csv, .sha256: true
    case .bagit, .prometheus: false
    }
  }
}
