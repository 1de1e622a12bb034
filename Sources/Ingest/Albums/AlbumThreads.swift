import HostProcess
import IngestCore

/// Runs each album on a thread of its own, and lets go of those that have ended: there may be a thousand albums.
final class AlbumThreads: Sendable {
  private struct State {
    var threads: [Int: OwnThread] = [:]
    var ended: Set<Int> = []
  }

  private let state = Guarded(State())

  /// Starts the thread of one album. Called from no thread of an album.
  @available(*, noasync, message: "start may block its thread for a moment")
  func start(_ number: Int, _ body: @escaping @Sendable () -> Void) {
    joinEnded()
    let thread = OwnThread.start(name: "album-\(number)") { [self] in
      body()
      state.withLock { _ = $0.ended.insert(number) }
    }
    state.withLock { $0.threads[number] = thread }
  }

  @available(*, noasync, message: "joinAll blocks its thread")
  func joinAll() {
    for thread in state.withLock({ $0.threads.values }) { thread.join() }
  }

  private func joinEnded() {
    let ended = state.withLock { state in
      let threads = state.ended.compactMap { state.threads.removeValue(forKey: $0) }
      state.ended = state.ended.filter { state.threads[$0] != nil }
      return threads
    }
    for thread in ended { thread.join() }
  }
}
