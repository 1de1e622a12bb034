internal import Dispatch
internal import IngestCore

/// Sends a single request until it is answered, tried again by the rules: for tokens and for the post.
final class PatientSender: Sendable {
  let client: HTTPClient
  let rules: RetryRules
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
  let prepare: @Sendable (inout HTTPRequest) -> Void
  /// Waits are over on this queue; nothing on it blocks.
  let timers = DispatchQueue(label: "photo-ingest.publish.timers")

  init(
    client: HTTPClient, rules: RetryRules, now: @escaping @Sendable () -> Int64,
    prepare: @escaping @Sendable (inout HTTPRequest) -> Void
  ) {
    self.client = client
    self.rules = rules
    self.now = now
    self.prepare = prepare
  }

  /// - Parameter mayRepeat: Whether an end that may hide a success is tried again too.
  func send(
    _ request: HTTPRequest, mayRepeat: Bool = true,
    _ done: @escaping RequestCompletion<HTTPAnswer, HTTPFailure>
  ) -> RequestCancel {
    var request = request
    prepare(&request)
    if request.limits.total == nil { request.limits.total = .seconds(120) }
    let attempt = Attempt(self, request, mayRepeat: mayRepeat, done)
    attempt.start()
    return { attempt.cancel() }
  }

  func after(_ wait: Duration, _ body: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = wait.components
    timers.asyncAfter(deadline: .now() + Double(seconds) + Double(attoseconds) * 1e-18, execute: body)
  }

  private final class Attempt: Sendable {
    private struct State {
      var tries = 0
      var cancel: RequestCancel?
      var done: RequestCompletion<HTTPAnswer, HTTPFailure>?
    }

    private let sender: PatientSender
    private let request: HTTPRequest
    private let mayRepeat: Bool
    private let state: Guarded<State>

    init(
      _ sender: PatientSender, _ request: HTTPRequest, mayRepeat: Bool,
      _ done: @escaping RequestCompletion<HTTPAnswer, HTTPFailure>
    ) {
      self.sender = sender
      self.request = request
      self.mayRepeat = mayRepeat
      state = Guarded(State(done: done))
    }

    func start() {
      let isOpen = state.withLock { state in
        state.tries += 1
        return state.done != nil
      }
      guard isOpen else { return }
      let cancel = sender.client.start(request) { [self] in heard($0) }
      let isGone = state.withLock { state in
        guard state.done != nil else { return true }
        state.cancel = cancel
        return false
      }
      if isGone { cancel() }
    }

    func cancel() {
      let cancel = state.withLock { $0.cancel.take() }
      cancel?()
      end(.failure(.cancelled))
    }

    private func heard(_ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>) {
      let tries = state.withLock { $0.tries }
      var asked: Duration?
      let isPassing: Bool
      switch outcome {
      case .success(let answer):
        asked = RetryAfter.wait(answer, now: sender.now())
        let always = [429, 503].contains(answer.status)
        isPassing = always || (mayRepeat && [408, 425, 500, 502, 504].contains(answer.status))
      case .failure(.reported(let failure)):
        isPassing = failure.kind == .notReached || (mayRepeat && failure.isPassing)
      case .failure: isPassing = false
      }
      guard isPassing, tries < sender.rules.tries else {
        end(outcome)
        return
      }
      sender.after(sender.rules.wait(afterTry: tries, asked: asked)) { [self] in start() }
    }

    private func end(_ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>) {
      let done = state.withLock { state in
        state.cancel = nil
        return state.done.take()
      }
      done?(outcome)
    }
  }
}
