import IngestCore

/// Counts the threads of a loader: one that has nothing to decode with leaves its photo to the others.
final class LoaderCrew: Sendable {
  private let atWork: Guarded<Int>

  init(_ count: Int) {
    atWork = Guarded(count)
  }

  /// Lets a thread go, if another stays; the last one must stay and answer.
  func leave() -> Bool {
    atWork.withLock { count in
      guard count > 1 else { return false }
      count -= 1
      return true
    }
  }
}
