/// Stands for one asynchronous request that can be started once, alone or as a member of a batch.
///
/// ```swift
/// let upload = Request<String, UploadError>("alps.jpg") { done in
///   let call = client.put(photo) { answer in done(answer.mapError(RequestFailure.reported)) }
///   return { call.cancel() }
/// }
/// ```
public final class Request<Value: Sendable, Failure: Error>: Sendable {
  public typealias Outcome = RequestOutcome<Value, Failure>

  private enum Phase: Sendable {
    case ready, started
    case ended(Outcome)
  }

  /// What messages call it.
  public let name: String
  private let body: RequestStart<Value, Failure>
  private let handler: @Sendable (Outcome) -> Void
  private let phase = Guarded(Phase.ready)

  /// - Parameters:
  ///   - start: Starts the work and returns at once; see `RequestStart`.
  ///   - handler: The request's own: hears the one ending, on the thread that brings it, before anybody else does.
  public init(
    _ name: String, start: @escaping RequestStart<Value, Failure>,
    handler: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    self.name = name
    body = start
    self.handler = handler
  }

  /// The ending, once there is one.
  public var outcome: Outcome? {
    phase.withLock { if case .ended(let outcome) = $0 { outcome } else { nil } }
  }

  /// Whether it was started, or claimed by a batch; it cannot be started again.
  public var isStarted: Bool {
    phase.withLock { if case .ready = $0 { false } else { true } }
  }

  /// Starts the request alone, as always; false when it had been started before, and then nothing happens.
  ///
  /// A stop of `control` cancels it. `handler` hears the ending.
  @discardableResult public func start(
    timeLimit: Duration? = nil, control: CollectionControl = CollectionControl()
  ) -> Bool {
    guard claim() else { return false }
    RequestRun<Value, Failure>(
      count: 1, limits: RequestLimits(atOnce: 1, timeLimit: timeLimit),
      script: .init(
        start: { [self] _, done in begin(done) }, heard: { [self] _, outcome in end(outcome) }, ended: { _ in })
    ).start(control: control)
    return true
  }

  /// Takes the request for whoever will start it; false when somebody has.
  func claim() -> Bool {
    phase.withLock { phase in
      guard case .ready = phase else { return false }
      phase = .started
      return true
    }
  }

  /// Takes a claim back.
  func disclaim() {
    phase.withLock { $0 = .ready }
  }

  func begin(_ done: @escaping RequestCompletion<Value, Failure>) -> RequestCancel? {
    body(done)
  }

  func end(_ outcome: Outcome) {
    phase.withLock { $0 = .ended(outcome) }
    handler(outcome)
  }
}
