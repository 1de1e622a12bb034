import Dispatch
import IngestCore
import IngestFiles
import PhotoCodecs

/// Holds the thumbnails of one photo until the loader thread that made them has written them.
///
/// They are written after the photo's ending is sent: a slow disk of the output must not count as the photo's time.
/// Whoever takes the photo waits for them, without a limit, as for every other write of the run. No more than one a
/// loader thread holds pictures; what waits behind a slow photo is rows.
final class ThumbnailDeposit: Sendable {
  private struct State {
    var thumbnails: [EncodedThumbnail]
    /// Nil until they are written, or could not be.
    var result: Result<[AssetRow.Thumbnail], FileError>?
  }

  private let store: ThumbnailStore
  private let path: RelativePath
  private let sha256: String
  private let state: Guarded<State>
  /// Signalled once, when there is a result.
  private let settled = DispatchSemaphore(value: 0)

  init(_ thumbnails: [EncodedThumbnail], of path: RelativePath, sha256: String, in store: ThumbnailStore) {
    self.store = store
    self.path = path
    self.sha256 = sha256
    state = Guarded(State(thumbnails: thumbnails))
  }

  /// Writes them on the calling thread and lets them go. Called once for each photo whose ending was sent.
  func write() {
    let thumbnails = state.withLock { state in
      defer { state.thumbnails = [] }
      return state.thumbnails
    }
    settle(Result { () throws(FileError) in try store.write(thumbnails, of: path, sha256: sha256) })
  }

  /// Lets them go unwritten; in place of `write`.
  func drop() {
    state.withLock { $0.thumbnails = [] }
    settle(.failure(FileError(path: path.bytes, operation: "has no thumbnails: its run is over", errno: 0)))
  }

  private func settle(_ result: Result<[AssetRow.Thumbnail], FileError>) {
    state.withLock { $0.result = result }
    settled.signal()
  }

  /// Blocks until they are written; says where they lie, or why they could not be written.
  @available(*, noasync, message: "wait blocks its thread")
  func wait() throws(FileError) -> [AssetRow.Thumbnail] {
    settled.wait()
    defer { settled.signal() }
    return try state.withLock { $0.result }?.get() ?? []
  }
}
