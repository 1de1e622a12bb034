/// Holds what is known of the last run over an output, as far as it is known.
public struct LastRunFigures: Sendable, Hashable {
  /// When it ended, in seconds since 1970.
  public var ended: Double?
  /// In seconds.
  public var duration: Double?
  public var exitCode: Int?
  /// When a run last ended with a whole manifest, in seconds since 1970.
  public var lastSuccess: Double?
  public var bytesRead: UInt64?
  /// The counts of the manifest that stands.
  public var totals: ManifestTotals?

  public init() {}

  /// Whether this code says that the run has left a whole manifest behind.
  public static func isSuccess(exitCode: Int) -> Bool { exitCode == 0 || exitCode == 3 }
}
