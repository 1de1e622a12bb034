/// Tells one step of a load: at most one stand-in, then exactly one ending.
public enum LoadEvent<Preview: Sendable, Original: Sendable>: Sendable {
  /// A quick stand-in. Terminal only when the request asked for `fastFormat`.
  case degraded(Preview)
  /// The original. Terminal.
  case final(Original)
  /// There will be no original: the asset's failure. A failed stand-in is never an event. Terminal.
  case failed(LoadFailure)
  /// The request was cancelled. Terminal.
  case cancelled

  /// Whether nothing follows: not degraded, or the request asked for the fast form only.
  public func isTerminal(for mode: DeliveryMode) -> Bool {
    if case .degraded = self { return mode == .fastFormat }
    return true
  }

  /// Whether nothing follows for this asset: `isTerminal(for:)`, or the original is remote and the network is off.
  ///
  /// In the second case a stand-in is the last that can come, and the asset's failure is `network-off`.
  public func isTerminal(for asset: Asset, options: ImageRequestOptions) -> Bool {
    isTerminal(for: options.deliveryMode) || (asset.isInCloud && !options.isNetworkAccessAllowed)
  }
}
