public import Dispatch

/// Starts an array of requests, counts those that have finished, and reports once: success when all succeeded, failure
/// at the first that did not.
///
/// The first failure cancels every other request, also those that have not begun; it is the one cause, and all others
/// that did not succeed are told as cancelled. The report comes when the last request has ended (no later than the grace
/// after a stop), with the requests in their first order. A batch keeps itself alive until then and can be started once.
/// An empty batch succeeds at once.
public final class RequestBatch<Value: Sendable, Failure: Error>: Sendable {
  public typealias Member = Request<Value, Failure>
  public typealias Report = BatchReport<Value, Failure>

  private struct State {
    var run: RequestRun<Value, Failure>?
    /// Takes the stop's way from the owner's control back.
    var unlink: @Sendable () -> Void = {}
    var observers: [@Sendable (BatchEvent) -> Void] = []
    var isStarted = false
  }

  /// In the order in which they were given.
  public let requests: [Member]
  private let limits: RequestLimits
  private let ownStop = CollectionControl()
  private let state = Guarded(State())

  /// Prepares a batch; nothing is started, and no member is looked at, before `start`.
  ///
  /// - Parameter limits: All at once by default, and without a time limit.
  public init(_ requests: [Member], limits: RequestLimits = RequestLimits(atOnce: .max)) {
    self.requests = requests
    self.limits = limits
  }

  /// How many requests have finished.
  public var finished: Int { state.withLock { $0.run }?.finished ?? 0 }

  /// Has `observer` hear what the batch is about to do and has done. Later than the start, it hears what is still to come.
  ///
  /// `willStart` comes on the thread that starts, before any request does; `willStop` on the thread of the last ending, of
  /// the first failure or of the stop, before anything is cancelled; `didStop` on the report's queue, after the report.
  public func observe(_ observer: @escaping @Sendable (BatchEvent) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// Starts every request and returns at once; `followUp` hears the report, once, on `queue`.
  ///
  /// Before anything starts it refuses a member that was started before or is given twice, and a second start of the
  /// batch; then nobody hears anything and every other member is as it was. Requests begin in order, on a queue of the
  /// batch's own. A stop of `control`, or `cancel`, cancels what has not ended.
  public func start(
    control: CollectionControl = CollectionControl(), notify queue: DispatchQueue,
    followUp: @escaping @Sendable (Report) -> Void
  ) throws(BatchRefusal) {
    try claimAll()
    let run = RequestRun<Value, Failure>(
      count: requests.count, limits: limits, stopsAtFirstFailure: true,
      script: .init(
        start: { [requests] index, done in requests[index].begin(done) },
        heard: { [requests] index, outcome in requests[index].end(outcome) },
        willStop: { self.tell(.willStop) },
        ended: { report in
          self.unlink()
          queue.async {
            followUp(Report(report, requests: self.requests))
            self.tell(.didStop)
          }
        }))
    state.withLock { $0.run = run }
    tell(.willStart)
    let link = control.whenCancelled { [ownStop] in ownStop.cancel() }
    state.withLock { $0.unlink = { control.forget(link) } }
    run.start(control: ownStop)
  }

  /// Stops the batch for its owner: what has not ended is cancelled. Does nothing when the batch is over; before its start
  /// it has the start cancel everything.
  public func cancel() {
    ownStop.cancel()
  }

  /// Takes the way of the owner's stop back.
  private func unlink() {
    let unlink = state.withLock { state in
      defer { state.unlink = {} }
      return state.unlink
    }
    unlink()
  }

  private func tell(_ event: BatchEvent) {
    for observer in state.withLock({ $0.observers }) { observer(event) }
  }

  /// Takes every member or none.
  private func claimAll() throws(BatchRefusal) {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { throw .batchStarted }
    do throws(BatchRefusal) {
      var places: [ObjectIdentifier: Int] = [:]
      for (index, request) in requests.enumerated() {
        if let first = places.updateValue(index, forKey: ObjectIdentifier(request)) {
          throw .givenTwice(name: request.name, first: first, again: index)
        }
      }
      for (index, request) in requests.enumerated() where !request.claim() {
        for claimed in requests[..<index] { claimed.disclaim() }
        throw .memberStarted(name: request.name, index: index)
      }
    } catch {
      state.withLock { $0.isStarted = false }
      throw error
    }
  }
}

extension RequestBatch {
  /// Runs the batch for a caller that may suspend; resumes once, with the report. Cancelling the task cancels the batch.
  public func run() async throws(BatchRefusal) -> Report {
    let result: Result<Report, BatchRefusal> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(BatchRefusal) {
          try start(notify: DispatchQueue(label: "photo-ingest.batch")) { continuation.resume(returning: .success($0)) }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }
}
