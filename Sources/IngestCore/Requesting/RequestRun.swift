import Dispatch

/// Runs numbered requests, at most so many at once, until each has exactly one outcome; tells of the end once.
///
/// Requests begin in order, on one serial queue that is made for the run and used for nothing else; so the stack does not
/// grow with the number of requests that end before their start has returned. A permit is given back on every path: an
/// ending, a time limit, a stop that is not answered, a completion that was let go. Nothing foreign is called while the
/// guard is held. Whoever can still end a request keeps the run alive; nobody else need.
final class RequestRun<Value: Sendable, Failure: Error>: Sendable {
  typealias Outcome = RequestOutcome<Value, Failure>
  typealias Report = RequestReport<Value, Failure>
  typealias Flight = RequestFlight<Value, Failure>
  typealias Start = @Sendable (Int, @escaping RequestCompletion<Value, Failure>) -> RequestCancel?

  /// What a run calls. It is let go at the end, however long a request keeps its completion.
  struct Script: Sendable {
    var start: Start
    /// Hears every outcome once, on the thread of the ending, before the request's permit is given back.
    var heard: @Sendable (Int, Outcome) -> Void = { _, _ in }
    /// Runs once, before anything is cancelled and before the end.
    var willStop: @Sendable () -> Void = {}
    /// Runs once, last, on the thread of the last ending.
    var ended: @Sendable (Report) -> Void
  }

  private let limits: RequestLimits
  private let progress: Guarded<RequestRunProgress<Value, Failure>>
  private let queue = DispatchQueue(label: "photo-ingest.requests")
  /// Time goes on beside the beginning of requests: a start that does not return has its limit all the same.
  private let clock = DispatchQueue(label: "photo-ingest.request-limits")

  init(count: Int, limits: RequestLimits, stopsAtFirstFailure: Bool = false, script: Script) {
    self.limits = limits
    progress = Guarded(
      RequestRunProgress(
        count: count, atOnce: limits.atOnce, stopsAtFirstFailure: stopsAtFirstFailure, script: script))
  }

  /// How many requests have ended.
  var finished: Int { progress.withLock { $0.left } }

  /// Begins the requests; a run of none ends at once. Call it once.
  func start(control: CollectionControl) {
    let key = control.whenCancelled { [self] in stop() }
    progress.withLock { $0.keep(control, key) }
    pump()
    endIfDue { $0.release() }
  }

  // MARK: What a flight tells

  /// Takes the one ending of a request: records it, tells it, stops the others if it is the failure that does so, and
  /// gives the permit back.
  func settle(_ index: Int, _ outcome: Outcome, isAbandoned: Bool = false) {
    let record = progress.withLock { $0.record(index, outcome, isAbandoned: isAbandoned) }
    record.heard?(index, record.outcome)
    if record.stopsOthers { windDown() }
    endIfDue { $0.leave() }
    pump()
  }

  func ignore(_ kind: IgnoredSignal.Kind, index: Int) {
    progress.withLock { $0.ignored.add(IgnoredSignal(kind: kind, index: index)) }
  }

  /// Runs `body` on a queue of the run's own.
  func later(_ body: @escaping @Sendable () -> Void) {
    clock.async(execute: body)
  }

  // MARK: Steps

  /// Has the run's queue begin what there is room for.
  private func pump() {
    guard progress.withLock({ $0.askForPump() }) else { return }
    queue.async { [self] in
      progress.withLock { $0.beginPump() }
      while let next = progress.withLock({ $0.next(of: self) }) {
        if let limit = limits.timeLimit { watch(next.flight, for: limit) }
        next.flight.begin(next.start)
      }
    }
  }

  /// Stops for the owner: nothing new begins, and the requests in flight are cancelled.
  private func stop() {
    guard progress.withLock({ $0.beginStop() }) else { return }
    windDown()
    endIfDue { $0.release() }
  }

  /// Cancels every request in flight and tells those that will not begin. The caller holds the run's end back.
  private func windDown() {
    let (script, flights, unbegun) = progress.withLock { $0.windDown() }
    script?.willStop()
    for flight in flights { flight.cancel() }
    for index in unbegun { script?.heard(index, .failure(.cancelled)) }
    progress.withLock { $0.leaveUnbegun(unbegun.count) }
    clock.asyncAfter(deadline: .now().after(limits.grace)) { [weak self] in
      guard let self else { return }
      for flight in progress.withLock({ $0.inFlight }) { flight.giveUp(as: .cancelled) }
    }
  }

  /// Takes one step and ends the run if that was the last thing it waited for.
  private func endIfDue(after step: (inout RequestRunProgress<Value, Failure>) -> Void) {
    let end = progress.withLock { progress in
      step(&progress)
      return progress.end()
    }
    guard let end else { return }
    end.control?.forget(end.key)
    if !end.hasStopped { end.script.willStop() }
    end.script.ended(end.report)
  }

  // MARK: Time limits

  private func watch(_ flight: Flight, for limit: Duration) {
    let deadline = DispatchTime.now().after(limit)
    let isFirst = progress.withLock { $0.deadlines.add(flight.index, deadline) }
    if isFirst { wake(at: deadline) }
  }

  private func wake(at deadline: DispatchTime) {
    clock.asyncAfter(deadline: deadline) { [weak self] in self?.expire() }
  }

  private func expire() {
    let (late, next) = progress.withLock { $0.expire(at: .now()) }
    if let next { wake(at: next) }
    for flight in late { flight.giveUp(as: .timedOut(limit: limits.timeLimit ?? .zero)) }
  }
}
