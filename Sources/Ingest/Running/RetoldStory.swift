import IngestCore

/// Passes a run's events on, and those of a second try only from where the first one broke off: nobody hears a row twice.
final class RetoldStory: Sendable {
  private struct State {
    var hasScanned = false
    var toldAssets = -1
    var toldPreviews = -1
    var isSecondTry = false
    /// Whether no photo was known: of a first run nobody needs to hear that everything is new.
    var isFirstRun = false
  }

  private let report: IngestRun.Report
  private let state = Guarded(State())

  init(_ report: @escaping IngestRun.Report) {
    self.report = report
  }

  func beginAgain() {
    state.withLock { $0.isSecondTry = true }
  }

  func beginFirstRun() {
    state.withLock { $0.isFirstRun = true }
  }

  func hear(_ event: RunEvent) {
    let isNews = state.withLock { state in
      switch event {
      case .scanned:
        defer { state.hasScanned = true }
        return !state.hasScanned
      case .asset(_, let row):
        defer { state.toldAssets = max(state.toldAssets, row.index) }
        return !state.isSecondTry || row.index > state.toldAssets
      case .degraded(let index, _, _):
        defer { state.toldPreviews = max(state.toldPreviews, index) }
        return !state.isSecondTry || index > max(state.toldAssets, state.toldPreviews)
      case .read: return !state.isFirstRun
      case .progressed, .cancelled, .vanished, .message: return true
      }
    }
    if isNews { report(event) }
  }
}
