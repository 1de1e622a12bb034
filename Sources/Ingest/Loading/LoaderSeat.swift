import IngestCore

/// Says since when one loader thread has been at one load, and whether another thread has taken its place.
final class LoaderSeat: Sendable {
  private struct State {
    var since: ContinuousClock.Instant?
    var site: LoadSite?
    var isTaken = false
  }

  private let state = Guarded(State())

  func begin(at site: LoadSite) {
    state.withLock { ($0.since, $0.site) = (.now, site) }
  }

  /// False when the thread was taken for lost meanwhile: then it is one too many.
  func end() -> Bool {
    let (isTaken, site) = state.withLock { state in
      defer { (state.since, state.site) = (nil, nil) }
      return (state.isTaken, state.site)
    }
    if isTaken { site?.find() }
    return !isTaken
  }

  /// True, once, when the load has taken longer than any can that does not hang. Its site is lost then, unless it fetches:
  /// that has a limit of its own.
  func isLost(after limit: Duration) -> Bool {
    state.withLock { state in
      guard !state.isTaken, let since = state.since, .now - since > limit else { return false }
      state.isTaken = true
      if let site = state.site, site.fetcher == nil { site.lose() }
      return true
    }
  }

  /// Whether another thread has taken its place, or was to.
  var isTaken: Bool { state.withLock { $0.isTaken } }
}
