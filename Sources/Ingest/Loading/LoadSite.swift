import Dispatch
import IngestCore
import IngestFiles

/// Is one source folder that loader threads serve: where its photos lie, what knows them again, where their thumbnails go,
/// and which of its requests are under way.
///
/// Several sites may share the threads of one `LoaderPool`; what becomes of one is no matter of the others. Safe from every
/// thread.
final class LoadSite: Sendable {
  private struct State {
    var open: [ImageRequestID: LoadTicket] = [:]
    var isClosed = false
    /// How many tickets have had their ending.
    var finished = 0
    /// Threads that send an ending, or write the thumbnails behind it.
    var leaving = 0
    var isGivenUp = false
    var isLost = false

    var isIdle: Bool { open.isEmpty && leaving == 0 }
  }

  let folder: SourceFolder
  /// Where loader threads write thumbnails; without one they stay with the photo.
  let thumbnails: ThumbnailStore?
  /// Knows photos again that need no decoding.
  let recognition: ContentRecognition?
  /// Brings the originals of assets here that are in the cloud; nil for a site of local files.
  let fetcher: OriginalFetcher?
  private let state = Guarded(State())
  /// Signalled when a closed site becomes idle.
  private let settled = DispatchSemaphore(value: 0)
  /// How long a thread that reads from a dead disk is waited for.
  static let patience: DispatchTimeInterval = .seconds(5)

  init(
    folder: SourceFolder, thumbnails: ThumbnailStore? = nil, recognition: ContentRecognition? = nil,
    fetcher: OriginalFetcher? = nil
  ) {
    self.folder = folder
    self.thumbnails = thumbnails
    self.recognition = recognition
    self.fetcher = fetcher
  }

  func admit(_ ticket: LoadTicket) {
    state.withLock {
      precondition(!$0.isClosed, "a loader that was shut down takes no requests")
      $0.open[ticket.id] = ticket
    }
  }

  /// Finds a request that has not ended yet.
  func openTicket(_ id: ImageRequestID) -> LoadTicket? {
    state.withLock { $0.open[id] }
  }

  /// Forgets a ticket whose ending is about to be sent; `leave` must follow. False when nobody waits for the threads any
  /// more: then nothing may be written.
  func finish(_ ticket: LoadTicket) -> Bool {
    state.withLock { state in
      state.open.removeValue(forKey: ticket.id)
      state.finished += 1
      state.leaving += 1
      return !state.isGivenUp
    }
  }

  /// Ends what `finish` began: the ending is sent, and what it left to be written is.
  func leave() {
    let isOver = state.withLock { state in
      state.leaving -= 1
      return state.isClosed && state.isIdle
    }
    if isOver { settled.signal() }
  }

  /// Whether a thread hangs over one of its files, so that no other thread is to open one.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Says that a thread hangs over a file here.
  func lose() { state.withLock { $0.isLost = true } }

  /// Says that a thread which hung has come back: the folder answers again.
  func find() { state.withLock { $0.isLost = false } }

  /// Takes no more requests and blocks until every one has had its ending and its thumbnails are written.
  ///
  /// A thread that hangs in the kernel, such as on a mount whose server is gone, is left behind when no request has ended
  /// for `patience`: false. Should it come back, its request still has its ending, but it writes nothing more. A thread that
  /// writes is waited for, however slow the disk.
  @available(*, noasync, message: "close blocks its thread")
  func close(patience: DispatchTimeInterval = LoadSite.patience) -> Bool {
    while true {
      let (isIdle, finished) = state.withLock { state in
        state.isClosed = true
        return (state.isIdle, state.finished)
      }
      if isIdle { return true }
      if settled.wait(timeout: .now() + patience) == .timedOut, giveUp(since: finished) { return false }
    }
  }

  /// Forbids every later write when no ticket has ended since there were `finished`, and nobody is writing; else false.
  func giveUp(since finished: Int) -> Bool {
    state.withLock { state in
      guard state.finished == finished, state.leaving == 0, !state.isIdle else { return false }
      state.isGivenUp = true
      return true
    }
  }
}
