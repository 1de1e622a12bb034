import IngestCore

/// Passes a run's events on, and those of a second try only from where the first one broke off: nobody hears a row twice.
final class RetoldStory: Sendable {
  private struct State {
    var hasScanned = false
    var toldAssets = -1
    var toldPreviews = -1
    var isSecondTry = false
  }

  private let report: IngestRun.Report
  private let state = Guarded(State())

  init(_ report: @escaping IngestRun.Report) {
    self.report = report
  }

  func beginAgain() {
    state.withLock { $0.isSecondTry = true }
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
      case .read, .progressed, .cancelled, .vanished, .message: return true
      }
    }
    if isNews { report(event) }
  }
}
