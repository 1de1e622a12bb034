internal import IngestCore

/// Knows how the server does, for all uploads of one run: how many may be under way, and whether it is worth going on.
///
/// "Too many" and "not now" halve the number at once; successes let it grow again, by one for as many as there are. Tries
/// beyond the first are paid from one budget, which a success pays back, and failures in a row end the uploading, so that an outage is not answered
/// by a multiple of the load.
final class UploadHealth: Sendable {
  private struct State {
    var limit: Double
    var running = 0
    var waiting: [@Sendable () -> Void] = []
    var budget: Double
    var failures = 0
    var downBecause: String?
  }

  private let rules: RetryRules
  private let most: Int
  private let state: Guarded<State>

  init(_ rules: RetryRules, atOnce: Int) {
    self.rules = rules
    most = atOnce
    state = Guarded(State(limit: Double(atOnce), budget: Double(rules.budget)))
  }

  /// Runs `body` as soon as there is room; `leave` gives the room back.
  func enter(_ body: @escaping @Sendable () -> Void) {
    let mayRun = state.withLock { state in
      guard state.running < max(1, Int(state.limit)) else {
        state.waiting.append(body)
        return false
      }
      state.running += 1
      return true
    }
    if mayRun { body() }
  }

  func leave() {
    let next = state.withLock { state -> [@Sendable () -> Void] in
      state.running -= 1
      var next: [@Sendable () -> Void] = []
      while !state.waiting.isEmpty, state.running < max(1, Int(state.limit)) {
        next.append(state.waiting.removeFirst())
        state.running += 1
      }
      return next
    }
    for body in next { body() }
  }

  /// Why nothing more is tried; nil while there is hope.
  var downBecause: String? { state.withLock { $0.downBecause } }

  /// Ends the uploading: what is not done stays so.
  func giveUp(because reason: String) {
    state.withLock { $0.downBecause = $0.downBecause ?? reason }
  }

  /// - Parameter tries: How many of its tries failed before: what comes through in the end has cost nothing.
  func noteSuccess(afterFailed tries: Int) {
    let most = Double(most)
    let budget = Double(rules.budget)
    state.withLock { state in
      state.failures = 0
      state.budget = min(budget, state.budget + Double(tries) + 0.5)
      state.limit = min(most, state.limit + 1 / max(1, state.limit))
    }
  }

  /// Takes note of a try that failed for now; false when there is to be no other one.
  ///
  /// - Parameters:
  ///   - isBusy: The server is given fewer at once.
  ///   - isPatient: It has said when it will be well again, so this does not count as a failure in a row.
  func noteFailure(_ reason: String, isBusy: Bool, isPatient: Bool) -> Bool {
    // Those that were under way together fail together: that is one event and no row.
    let row = max(rules.failuresInARow, 3 * most)
    return state.withLock { state in
      if isBusy { state.limit = max(1, state.limit / 2) }
      if !isPatient { state.failures += 1 }
      if state.failures >= row, state.downBecause == nil {
        state.downBecause = "\(row) tries in a row have failed, the last one because \(reason)"
      }
      guard state.downBecause == nil, state.budget >= 1 else { return false }
      state.budget -= 1
      return true
    }
  }
}
