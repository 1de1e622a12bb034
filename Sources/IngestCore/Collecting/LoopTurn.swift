/// Tells what became of one item of a strict loop.
public struct LoopTurn<Item, Value: Sendable> {
  public enum Outcome: Sendable {
    /// The filter did not want it; no task was started.
    case skipped
    case succeeded(Value)
    /// The failure of the last try.
    case failed(LoadFailure)
    /// The owner stopped the loop before this turn had succeeded.
    case cancelled
  }

  /// The place in the input, counted from 0 without gaps; skipped items have theirs too.
  public let index: Int
  public let item: Item
  public let outcome: Outcome
  /// How many tries were started.
  public let attempts: Int
  /// Signals of this turn's tries that came when none was due, up to the moment the loop returned.
  public internal(set) var ignored = IgnoredSignals()
}

extension LoopTurn: Sendable where Item: Sendable {}
extension LoopTurn: Equatable where Item: Equatable, Value: Equatable {}
extension LoopTurn.Outcome: Equatable where Value: Equatable {}
