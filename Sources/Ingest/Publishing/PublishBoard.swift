import IngestCore
import IngestFiles
import Publishing

/// Keeps the state of every photo and tells of each once it is final, in the order of the manifest.
final class PublishBoard: Sendable {
  private struct State {
    var receipts: [PublishReceipt]
    var isFinal: [Bool]
    var finished = 0
    /// The first photo that was not told of.
    var next = 0
    /// Set while somebody tells, so that two threads do not tell out of order.
    var isTelling = false
  }

  private let state: Guarded<State>
  private let report: PublishRun.Report

  init(_ plan: PublishPlan, report: @escaping PublishRun.Report) {
    self.report = report
    let receipts = plan.photos.map { photo in
      let main = photo.objects.first
      return PublishReceipt(
        index: photo.index, path: photo.path, status: photo.reason == nil ? .pending : .failed, key: main?.object.key,
        sha256: main?.object.sha256, url: main?.url, error: photo.reason)
    }
    state = Guarded(State(receipts: receipts, isFinal: Array(repeating: false, count: receipts.count)))
    plannedObjects = plan.photos.map(\.objects)
  }

  private let plannedObjects: [[PublishObject]]

  var receipts: [PublishReceipt] { state.withLock { $0.receipts } }

  func settle(_ index: Int, _ outcome: RequestOutcome<UploadEnd, UploadFault>) {
    let (finished, count) = state.withLock { state -> (Int, Int) in
      var receipt = state.receipts[index]
      switch outcome {
      case .success(let end):
        receipt.status = end == .sent ? .sent : .present
        receipt.error = nil
      case .failure(.reported(let fault)):
        receipt.status = fault.isPending ? .pending : .failed
        receipt.error = fault.reason
      case .failure(.cancelled): receipt.status = .pending
      case .failure(let other):
        receipt.status = .failed
        receipt.error = "\(other)"
      }
      state.receipts[index] = receipt
      state.isFinal[index] = true
      state.finished += 1
      return (state.finished, state.receipts.count)
    }
    report(.progressed(finished: finished, of: count))
    tell()
  }

  /// What a dry run can know.
  func settleFromJournal(_ journal: PublishJournal) {
    state.withLock { state in
      for index in state.receipts.indices where !plannedObjects[index].isEmpty {
        let ends = plannedObjects[index].map { journal.end(of: $0) }
        guard !ends.contains(nil), let main = ends.first ?? nil else { continue }
        state.receipts[index].status = main == .sent ? .sent : .present
      }
    }
  }

  /// Tells of everything that is left: nothing more will happen.
  func close() {
    state.withLock { state in
      for index in state.isFinal.indices { state.isFinal[index] = true }
    }
    tell()
  }

  private func tell() {
    while true {
      let receipt = state.withLock { state -> PublishReceipt? in
        guard !state.isTelling, state.next < state.receipts.count, state.isFinal[state.next] else { return nil }
        state.isTelling = true
        state.next += 1
        return state.receipts[state.next - 1]
      }
      guard let receipt else { return }
      report(.photo(receipt))
      state.withLock { $0.isTelling = false }
    }
  }
}
