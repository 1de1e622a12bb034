import Dispatch
import IngestCore
import IngestFiles
import Publishing

/// Publishes one manifest: plan, token, upload, post, receipts.
struct PublishPass {
  private let run: PublishRun
  private let directory: [UInt8]
  private let tools: PublishTools
  private let report: PublishRun.Report
  private let plan: PublishPlan
  private let shelf: PublishShelf
  private let output: OutputFolder?
  private let journal: PublishJournal

  init(
    _ run: PublishRun, _ directory: [UInt8], _ tools: PublishTools, _ report: @escaping PublishRun.Report
  ) throws(RunError) {
    self.run = run
    self.directory = directory
    self.tools = tools
    self.report = report
    plan = try PublishPlan(FinishedManifest(directory: directory), run.configuration, tools.texts, tools.target)
    shelf = try PublishShelf(directory: directory, source: run.source)
    if run.isDryRun {
      output = nil
      journal = PublishJournal.look(below: directory)
    } else {
      let output: OutputFolder
      do { output = try OutputFolder.create(directory) } catch { throw .outputUnusable(error) }
      self.output = output
      journal = try PublishJournal.open(output, for: plan, ignoring: run.isFull) { report(.message(.warning, $0)) }
    }
  }

  func run(_ control: CollectionControl, _ summary: inout PublishSummary) throws(RunError) {
    let board = PublishBoard(plan, report: report)
    let done = plan.photos.count { photo in
      !photo.objects.isEmpty && photo.objects.allSatisfy { journal.end(of: $0) != nil }
    }
    report(.planned(photos: plan.photos.count, done: done))
    let post = run.configuration.post.map { PublishPost($0, tools) }
    if post != nil { summary.lists += 1 }

    var isPosted = false
    if run.isDryRun {
      board.settleFromJournal(journal)
    } else {
      let result = send(board, post, control)
      switch result {
      case .success(let posting):
        isPosted = posting != .none
        if posting != .none { report(.posted(wasBefore: posting == .before)) }
      case .failure(let failure):
        if case .cancelled = failure.reason, control.isCancelled {
        } else {
          report(.stopped(step: failure.step, reason: "\(failure.reason)"))
        }
      }
    }
    board.close()
    for receipt in board.receipts { summary.counts[receipt.status, default: 0] += 1 }
    if isPosted { summary.posted += 1 }
    guard let output else { return }
    do {
      try PublishReceipts.write(board.receipts, isPosted: isPosted, to: output)
    } catch {
      throw .outputUnusable(error)
    }
    // What is up and could not be written down would be sent again: that is no good run.
    if let failure = journal.failure { throw .outputUnusable(failure) }
  }

  // MARK: The three steps

  private typealias Failure = UploadFault

  /// Why photos were left for the next time, told once: it is of no photo, so none of them tells it.
  private static func cause(_ report: SlotReport<UploadEnd, UploadFault>) -> String {
    for fault in report.faults {
      if case .reported(let reason) = fault.failure, reason.isPending { return ": \(reason)" }
    }
    return ""
  }

  /// Runs the chain and waits for its end, on the command's thread.
  private func send(
    _ board: PublishBoard, _ post: PublishPost?, _ control: CollectionControl
  ) -> Result<PublishPosting, ChainFailure<UploadFault>> {
    let (tools, journal, plan, shelf) = (tools, journal, plan, shelf)
    let configuration = run.configuration
    let isFull = run.isFull
    let isAllUp = plan.photos.allSatisfy { photo in photo.objects.allSatisfy { journal.end(of: $0) != nil } }

    let chain = RequestChain<Void, Bool, UploadFault>("token") { _, done in
      // Nothing to send: whether a token is needed at all turns out with the post.
      if isAllUp { done(.success(false)) } else { tools.uploader.fetchToken { done($0.map { _ in true }) } }
      return nil
    }.then("upload") { (_: Bool, done: @escaping RequestCompletion<SlotReport<UploadEnd, UploadFault>, UploadFault>) in
      let stop = CollectionControl()
      let slots = ResultSlots(
        limits: RequestLimits(atOnce: configuration.upload.concurrency),
        partial: configuration.post?.partial == .mark ? .mark : .stop)
      slots.start(
        plan.photos, control: stop,
        task: { photo, _, done in
          let upload = PhotoUpload(photo, tools, shelf, journal, done)
          upload.next()
          return { upload.cancel() }
        },
        onFinal: { index, outcome in board.settle(index, outcome) },
        notify: DispatchQueue(label: "photo-ingest.publish.slots")
      ) { report in
        if report.wasCancelled {
          done(.failure(.cancelled))
        } else if report.list == nil {
          let count = report.faults.count
          let words = count == 1 ? "1 photo is not up" : "\(count) photos are not up"
          let list = post == nil ? "" : ", so there is no list to post"
          done(.failure(.reported(UploadFault(words + list + Self.cause(report)))))
        } else {
          done(.success(report))
        }
      }
      return { stop.cancel() }
    }.then("post") {
      (report: SlotReport<UploadEnd, UploadFault>, done: @escaping RequestCompletion<PublishPosting, UploadFault>) in
      guard let post else {
        done(.success(.none))
        return nil
      }
      // Photos that were given up for the server's sake come up the next time: their list is not final.
      let isPending = report.faults.contains { fault in
        if case .reported(let reason) = fault.failure { reason.isPending } else { true }
      }
      if isPending {
        done(
          .failure(.reported(UploadFault("not every photo was tried to the end" + Self.cause(report), isPending: true)))
        )
        return nil
      }
      return post.send(plan, report, journal, again: isFull, done)
    }

    let answer = Guarded<Result<PublishPosting, ChainFailure<UploadFault>>?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    chain.start((), control: control, notify: DispatchQueue(label: "photo-ingest.publish.chain")) { report in
      answer.withLock { $0 = report.result }
      isOver.signal()
    }
    isOver.wait()
    return answer.withLock { $0 }
      ?? .failure(ChainFailure(step: "publish", index: 0, reason: .unanswered))
  }
}
