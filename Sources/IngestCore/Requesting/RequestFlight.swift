/// Holds one request in flight: the first ending goes through, every other one is counted and changes nothing.
///
/// A flight that is over holds neither the request's way to cancel nor its value, however long the request keeps its
/// completion.
final class RequestFlight<Value: Sendable, Failure: Error>: Sendable {
  typealias Outcome = RequestOutcome<Value, Failure>

  private enum Phase: Sendable { case waiting, running, over, givenUp }

  private struct State {
    var phase = Phase.waiting
    var cancel: RequestCancel?
    /// A cancel that came while the way to cancel was still unknown is made up for when it is.
    var isCancelAsked = false
    /// Whether one more `cancelled` is only the request's word for what is already settled.
    var awaitsConfirmation = false

    /// Takes an ending; says what it was when none was due.
    mutating func end(_ outcome: Outcome) -> IgnoredSignal.Kind? {
      switch phase {
      case .waiting, .running:
        phase = .over
        return nil
      case .over: return .repeated
      case .givenUp:
        guard awaitsConfirmation, case .failure(.cancelled) = outcome else { return .late }
        awaitsConfirmation = false
        return nil
      }
    }
  }

  let index: Int
  private let run: RequestRun<Value, Failure>
  private let state = Guarded(State())

  init(index: Int, of run: RequestRun<Value, Failure>) {
    self.index = index
    self.run = run
  }

  /// Starts the request, unless it was cancelled before. Its completion may be called before this returns.
  func begin(_ start: RequestRun<Value, Failure>.Start) {
    let mayStart = state.withLock { state in
      guard state.phase == .waiting else { return false }
      state.phase = .running
      return true
    }
    guard mayStart else { return }
    let cancel = start(index, RequestTicket(self).completion)
    let isDue = state.withLock { state in
      guard state.phase == .running else { return state.phase == .givenUp }
      if !state.isCancelAsked { state.cancel = cancel }
      return state.isCancelAsked
    }
    if isDue { cancel?() }
  }

  /// Ends the flight in the request's own words.
  func end(_ outcome: Outcome) {
    let (isFirst, ignored, cancel) = state.withLock { state in
      let wasOpen = state.phase == .waiting || state.phase == .running
      return (wasOpen, state.end(outcome), state.cancel.take())
    }
    // Let go after the lock: what it holds may end with it.
    withExtendedLifetime(cancel) {}
    if let ignored { run.ignore(ignored, index: index) }
    if isFirst { run.settle(index, outcome) }
  }

  /// Asks the request, once, to give up. One that has not begun never will.
  func cancel() {
    let (isUnbegun, cancel) = state.withLock { state -> (Bool, RequestCancel?) in
      switch state.phase {
      case .waiting:
        state.phase = .over
        return (true, nil)
      case .running:
        state.isCancelAsked = true
        return (false, state.cancel.take())
      case .over, .givenUp: return (false, nil)
      }
    }
    if isUnbegun { run.settle(index, .failure(.cancelled)) }
    cancel?()
  }

  /// Ends the flight from outside, unless it has ended, and asks the request to give up; whatever it says from now on is
  /// late.
  func giveUp(as failure: RequestFailure<Failure>) {
    let (isFirst, cancel) = state.withLock { state -> (Bool, RequestCancel?) in
      guard state.phase == .waiting || state.phase == .running else { return (false, nil) }
      state.phase = .givenUp
      state.awaitsConfirmation = true
      return (true, state.cancel.take())
    }
    guard isFirst else { return }
    cancel?()
    run.settle(index, .failure(failure), isAbandoned: true)
  }

  /// Ends the flight when the request has let go of its completion.
  func drop() {
    let isOpen = state.withLock { $0.phase == .running }
    guard isOpen else { return }
    // Not on this thread: it may hold a lock of the request's own, under which the last copy was let go.
    run.later { [self] in
      let (isFirst, cancel) = state.withLock { state -> (Bool, RequestCancel?) in
        guard state.phase == .running else { return (false, nil) }
        state.phase = .over
        return (true, state.cancel.take())
      }
      withExtendedLifetime(cancel) {}
      if isFirst { run.settle(index, .failure(.unanswered)) }
    }
  }
}

/// Notices when the last copy of a request's completion is gone.
private final class RequestTicket<Value: Sendable, Failure: Error>: Sendable {
  private let flight: RequestFlight<Value, Failure>

  init(_ flight: RequestFlight<Value, Failure>) {
    self.flight = flight
  }

  deinit {
    flight.drop()
  }

  var completion: RequestCompletion<Value, Failure> {
    { [self] outcome in flight.end(outcome) }
  }
}
