import Catalogue
import IngestCore
import IngestFiles

/// Opens the catalogue of an output folder, and makes another one from the manifest where it cannot be used.
struct CatalogueFile {
  static let name = "catalogue.sqlite"
  /// One that could not be used is kept under this name, until the next.
  static let asideName = "catalogue.damaged.sqlite"
  private static let rebuildingKey = "rebuilding"

  let output: OutputFolder
  let configuration: RunConfiguration
  /// The options of the last complete run, if they are known.
  let lastOptions: String?
  let report: IngestRun.Report

  /// Opens the catalogue; a new one is filled from the manifest.
  func open() throws(RunError) -> Catalogue {
    let wasThere = output.hasOwn(Self.name)
    do {
      return try openOnce(wasThere: wasThere)
    } catch {
      guard case .catalogueUnusable(let reason) = error else { throw error }
      try putAside(because: reason)
      return try openOnce(wasThere: false)
    }
  }

  /// Puts the file out of the way, with the log that belongs to it, and says so.
  func putAside(because reason: String) throws(RunError) {
    report(
      .message(
        .warning,
        "the catalogue cannot be used (\(reason)); it is put aside as .photo-ingest/\(Self.asideName) and rebuilt from the "
          + "manifest"))
    try writing { () throws(FileError) in
      for ending in ["", "-wal", "-shm", "-journal"] {
        try output.renameOwn(Self.name + ending, to: Self.asideName + ending)
      }
    }
  }

  private func openOnce(wasThere: Bool) throws(RunError) -> Catalogue {
    let path = output.ownPath(Self.name)
    let catalogue = try remembering { () throws(CatalogueError) in try Catalogue.open(path) }
    if catalogue.isNew, wasThere {
      report(.message(.warning, "the catalogue was empty; it is rebuilt from the manifest"))
    }
    let isHalf = try remembering { () throws(CatalogueError) in
      try catalogue.setting(Self.rebuildingKey) == "yes"
    }
    if catalogue.isNew || isHalf, output.hasFile("manifest.jsonl") {
      // A run that is killed meanwhile leaves word that this is to be done again.
      try mark(catalogue, "yes")
      try ManifestRecovery(output: output, configuration: configuration, lastOptions: lastOptions, report: report)
        .fill(catalogue)
      try mark(catalogue, "no")
    }
    return catalogue
  }

  private func mark(_ catalogue: Catalogue, _ word: String) throws(RunError) {
    try remembering { () throws(CatalogueError) in
      try catalogue.settle(forgetting: [], keeping: [Self.rebuildingKey: word])
    }
  }
}
