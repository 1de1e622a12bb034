import Dispatch
import IngestCore
import IngestFiles

/// Keeps hands off files that somebody may still be writing: they come last, and not before they have the age.
struct MinimumAge {
  private let age: Duration
  private let now: () -> Duration

  init(_ age: Duration, now: @escaping () -> Duration = { WallClock.now }) {
    self.age = age
    self.now = now
  }

  /// Parts turns into those whose files are old enough and the young ones, both in their order. A file from the future is
  /// old: its clock was wrong.
  func partition(_ turns: [Int], identity: (Int) -> FileIdentity?) -> (grown: [Int], young: [Int]) {
    guard age > .zero else { return (turns, []) }
    let now = now()
    var grown: [Int] = []
    var young: [Int] = []
    for turn in turns {
      let mustWait = identity(turn).map { isYoung($0, at: now) } ?? false
      if mustWait { young.append(turn) } else { grown.append(turn) }
    }
    return (grown, young)
  }

  private func isYoung(_ identity: FileIdentity, at now: Duration) -> Bool {
    let age = now - identity.modified
    return age >= .zero && age < self.age
  }

  /// Blocks until the files have the age; a stop ends it at once. Never longer than the age itself, whatever the clock
  /// does meanwhile.
  func wait(for files: [FileIdentity], _ control: CollectionControl) {
    let start = ContinuousClock.now
    while !control.isCancelled, ContinuousClock.now - start < age {
      let now = now()
      guard files.contains(where: { isYoung($0, at: now) }) else { return }
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
    }
  }
}
