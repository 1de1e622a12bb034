/// Names one signal that came when none was due, and the turn it belonged to.
public struct IgnoredSignal: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Came after its turn had been given up at a time limit or after a stop.
    case late
    /// A second ending of a turn that already had one.
    case repeated
    /// Carried the id of another request; whose picture it holds is unknown, so nobody gets it.
    case wrongID
    /// A stand-in of a turn that already had its ending.
    case degradedAfterEnding
  }

  public let kind: Kind
  /// The turn whose callback was called.
  public let index: Int

  public init(kind: Kind, index: Int) {
    self.kind = kind
    self.index = index
  }
}

/// Counts the signals that were ignored. None of them was ever counted for another turn.
public struct IgnoredSignals: Hashable, Sendable {
  public private(set) var late = 0
  public private(set) var repeated = 0
  public private(set) var wrongID = 0
  public private(set) var degradedAfterEnding = 0
  /// The first of them, as a lead to whoever looks for the fault.
  public private(set) var first: IgnoredSignal?

  public init() {}

  public var total: Int {
    late + repeated + wrongID + degradedAfterEnding
  }

  public mutating func add(_ signal: IgnoredSignal) {
    switch signal.kind {
    case .late: late += 1
    case .repeated: repeated += 1
    case .wrongID: wrongID += 1
    case .degradedAfterEnding: degradedAfterEnding += 1
    }
    if first == nil { first = signal }
  }
}

/// Tells how a collection went, beside the outcomes that were taken. Does not grow with the number of assets.
public struct CollectionReport: Hashable, Sendable {
  /// How many turns were taken.
  public var turns = 0
  /// Turns that were given up without an ending from the loader: time limits, and stops that were not answered.
  public var abandoned = 0
  /// Whether the owner stopped the collection while it ran; assets that were not begun by then were never taken.
  public var wasCancelled = false
  /// Signals that came when none was due, up to the moment the collection returned.
  public var ignored = IgnoredSignals()

  public init() {}
}

/// Gathers ignored signals from the threads of a loader.
final class SignalTally: Sendable {
  private let counts = Guarded(IgnoredSignals())

  func add(_ kind: IgnoredSignal.Kind, index: Int) {
    counts.withLock { $0.add(IgnoredSignal(kind: kind, index: index)) }
  }

  var snapshot: IgnoredSignals {
    counts.withLock { $0 }
  }
}
