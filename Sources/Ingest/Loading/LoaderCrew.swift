import HostProcess
import IngestCore

/// Counts the threads of a loader: one that has nothing to decode with leaves its photo to the others.
final class LoaderCrew: Sendable {
  private let atWork: Guarded<Int>

  init(_ count: Int) {
    atWork = Guarded(count)
  }

  /// How many threads of so many the limit on open files allows.
  ///
  /// Measured: a thread has up to five files and folders open while it reads one photo, begins the next and writes
  /// thumbnails, and one more while a decoder is started; catalogue, manifests and originals take up to twenty.
  static func fitting(_ count: Int) -> Int {
    max(1, min(count, (HostProcess.freeDescriptors - 20) / 6))
  }

  /// The same, with a warning where there are fewer than asked for.
  static func fitting(_ count: Int, warn: (String) -> Void) -> Int {
    let threads = fitting(count)
    if threads < count {
      warn("jobs are lowered from \(count) to \(threads): no more files may be open at once (ulimit -n)")
    }
    return threads
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
