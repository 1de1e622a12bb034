import IngestCore
import Publishing

/// Brings the files of one photo up, one after the other; what the journal knows to be up is not asked about.
final class PhotoUpload: Sendable {
  typealias Done = RequestCompletion<UploadEnd, UploadFault>

  private struct State {
    var place = 0
    /// Of the first file, which stands for the photo.
    var main: UploadEnd?
    var cancel: RequestCancel?
    var isCancelled = false
  }

  private let photo: PublishPhoto
  private let tools: PublishTools
  private let shelf: PublishShelf
  private let journal: PublishJournal
  private let done: Done
  private let state = Guarded(State())

  init(
    _ photo: PublishPhoto, _ tools: PublishTools, _ shelf: PublishShelf, _ journal: PublishJournal,
    _ done: @escaping Done
  ) {
    self.photo = photo
    self.tools = tools
    self.shelf = shelf
    self.journal = journal
    self.done = done
  }

  func next() {
    if let reason = photo.reason {
      done(.failure(.reported(UploadFault(reason))))
      return
    }
    let (place, main, isCancelled) = state.withLock { ($0.place, $0.main, $0.isCancelled) }
    if isCancelled {
      done(.failure(.cancelled))
      return
    }
    guard place < photo.objects.count else {
      done(.success(main ?? .present))
      return
    }
    let object = photo.objects[place]
    if let end = journal.end(of: object) {
      step(end)
      return
    }
    let cancel = tools.uploader.upload(shelf.item(object, tools.target)) { [self] outcome in
      switch outcome {
      case .success(let end):
        journal.note(object, end)
        step(end)
      case .failure(let failure): done(.failure(failure))
      }
    }
    let mustCancel = state.withLock { state in
      // The answer may have come already, and with it the next file.
      if state.place == place { state.cancel = cancel }
      return state.isCancelled
    }
    if mustCancel { cancel() }
  }

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel.take()
    }
    cancel?()
  }

  private func step(_ end: UploadEnd) {
    state.withLock { state in
      if state.place == 0 { state.main = end }
      state.place += 1
      state.cancel = nil
    }
    next()
  }
}
