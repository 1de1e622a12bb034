/// Counts the photos of a manifest by status.
public struct ManifestTotals: Sendable, Hashable {
  public var assets: Int
  public var verified: Int
  public var damaged: Int
  public var failed: Int

  public init(assets: Int = 0, verified: Int = 0, damaged: Int = 0, failed: Int = 0) {
    self.assets = assets
    self.verified = verified
    self.damaged = damaged
    self.failed = failed
  }

  /// Counts one more photo.
  public mutating func add(_ status: AssetRow.Status) {
    assets += 1
    switch status {
    case .verified: verified += 1
    case .damaged: damaged += 1
    case .failed: failed += 1
    }
  }
}

extension JSONWriter {
  /// Writes an object of counts by status.
  public mutating func counts(_ name: String, _ totals: ManifestTotals) {
    counts(
      name,
      [
        ("assets", totals.assets), ("damaged", totals.damaged), ("failed", totals.failed),
        ("verified", totals.verified),
      ])
  }
}
