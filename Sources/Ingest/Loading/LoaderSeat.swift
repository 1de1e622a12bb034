import IngestCore

/// Says since when one loader thread has been at one load, and whether another thread has taken its place.
final class LoaderSeat: Sendable {
  private struct State {
    var since: ContinuousClock.Instant?
    var isTaken = false
  }

  private let state = Guarded(State())

  func begin() {
    state.withLock { $0.since = .now }
  }

  /// False when the thread was taken for lost meanwhile: then it is one too many.
  func end() -> Bool {
    state.withLock { state in
      state.since = nil
      return !state.isTaken
    }
  }

  /// True, once, when the load has taken longer than any can that does not hang.
  func isLost(after limit: Duration) -> Bool {
    state.withLock { state in
      guard !state.isTaken, let since = state.since, .now - since > limit else { return false }
      state.isTaken = true
      return true
    }
  }
}
