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

  private func isYoung(_ identity: FileIdentity, at now: Duration) -> Bool { remaining(identity, at: now) != nil }

  /// How long a file must wait still; nil when it is old enough.
  private func remaining(_ identity: FileIdentity, at now: Duration) -> Duration? {
    let age = now - identity.modified
    return age >= .zero && age < self.age ? self.age - age : nil
  }

  /// Blocks until the files have the age; a stop ends it at once. Never longer than the age itself, whatever the clock
  /// does meanwhile.
  func wait(for files: [FileIdentity], _ control: CollectionControl) {
    let wake = DispatchSemaphore(value: 0)
    let key = control.whenCancelled { wake.signal() }
    defer { control.forget(key) }
    let end = ContinuousClock.now + age
    while !control.isCancelled {
      // Asked again after the wait: somebody may have set the clock back meanwhile.
      let now = now()
      let left = min(files.lazy.compactMap { remaining($0, at: now) }.max() ?? .zero, end - ContinuousClock.now)
      guard left > .zero else { return }
      _ = wake.wait(timeout: DispatchTime.now().after(left))
    }
  }
}
