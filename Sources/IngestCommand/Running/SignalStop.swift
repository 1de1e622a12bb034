import IngestCore

/// Turns the first signal into a cancelled run, and a second one into a quick death.
///
/// A run that has not ended 4 seconds after the first signal is given up: whoever asked for the stop waits no longer
/// than 5. Nothing half written stands under a final name then either, only files written aside.
final class SignalStop: Sendable {
  static let patience = Duration.seconds(4)

  let control = CollectionControl()
  private let shared = Shared()
  /// Kept alive for as long as the command runs.
  private let watch: (any Sendable)?

  /// What the listening closure needs too.
  private final class Shared: Sendable {
    struct State {
      /// The first one.
      var signal: Int32?
      var isWorking = false
    }
    let state = Guarded(State())
  }

  init(_ surroundings: Surroundings) {
    let shared = shared
    let control = control
    let dieAtOnce = surroundings.dieAtOnce
    let afterDelay = surroundings.afterDelay
    watch = surroundings.watchSignals { number in
      let canTidyUp = shared.state.withLock { state -> Bool in
        defer { state.signal = state.signal ?? number }
        return state.signal == nil && state.isWorking
      }
      guard canTidyUp else { return dieAtOnce(number) }
      afterDelay(Self.patience) { dieAtOnce(number) }
      control.cancel()
    }
  }

  /// From here on there is something to tidy up. A signal that comes earlier ends the program at once, also while it
  /// waits for a list from standard input.
  func beginWork() {
    shared.state.withLock { $0.isWorking = true }
  }

  /// The signal goes before every code.
  func ending(else ending: Ending) -> Ending {
    shared.state.withLock { $0.signal }.map(Ending.signal) ?? ending
  }
}
