public import Dispatch

/// Runs steps that depend on each other: each starts only when the one before has completed, with what that one gave.
///
/// A step that fails, is cancelled or runs out of time ends the chain with an error that names it; no later step starts.
/// A chain is a description and may be started as often as wanted; every start is a chain of its own.
///
/// ```swift
/// let publishing = RequestChain("token") { (account: Account, done) in fetchToken(account, done) }
///   .then("upload") { token, done in upload(pictures, token, done) }
///   .then("post") { addresses, done in post(addresses, done) }
/// publishing.start(account, notify: .main) { report in show(report.result) }
/// ```
public struct RequestChain<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// Starts one step and returns at once; see `RequestStart` for what the completion asks.
  public typealias Step<Given, Value> =
    @Sendable (_ given: Given, _ done: @escaping RequestCompletion<Value, Failure>) -> RequestCancel?

  private var steps: [ChainStep<Failure>]

  /// Begins a chain with its first step.
  public init(_ name: String, step: @escaping Step<Input, Output>) {
    steps = [ChainStep(name, step)]
  }

  private init(_ steps: [ChainStep<Failure>]) {
    self.steps = steps
  }

  /// Adds a step that gets what the one before gave.
  public consuming func then<Next: Sendable>(
    _ name: String, step: @escaping Step<Output, Next>
  ) -> RequestChain<Input, Next, Failure> {
    steps.append(ChainStep(name, step))
    return RequestChain<Input, Next, Failure>(steps)
  }

  /// The names of the steps, in order.
  public var names: [String] { steps.map(\.name) }

  /// Starts the first step and returns at once; `followUp` hears how the chain ended, once, on `queue`.
  ///
  /// Steps begin on a queue of the chain's own. A stop of `control` cancels the step in flight.
  ///
  /// - Parameters:
  ///   - timeLimit: The limit of one step, counted from its start.
  ///   - grace: How long after a stop the ending of the step in flight is waited for.
  public func start(
    _ input: Input, timeLimit: Duration? = nil, grace: Duration = .seconds(3),
    control: CollectionControl = CollectionControl(), notify queue: DispatchQueue,
    followUp: @escaping @Sendable (ChainReport<Output, Failure>) -> Void
  ) {
    let steps = steps
    // What the last completed step gave. Written once a step, when its first ending counts, before the next one begins.
    let given = Guarded<any Parcelled>(Parcel(input))
    RequestRun<any Parcelled, Failure>(
      count: steps.count, limits: RequestLimits(atOnce: 1, timeLimit: timeLimit, grace: grace),
      stopsAtFirstFailure: true,
      script: .init(
        start: { index, done in steps[index].start(given.withLock { $0 }, done) },
        heard: { _, outcome in
          guard case .success(let value) = outcome else { return }
          let old = given.withLock { given in
            defer { given = value }
            return given
          }
          withExtendedLifetime(old) {}
        },
        ended: { report in
          let last = given.withLock { $0 } as? Parcel<Output>
          let ended = ChainReport(report, names: steps.map(\.name), output: last?.value)
          queue.async { followUp(ended) }
        })
    ).start(control: control)
  }

  /// Runs the chain for a caller that may suspend; resumes once. Cancelling the task cancels the step in flight.
  public func run(
    _ input: Input, timeLimit: Duration? = nil, grace: Duration = .seconds(3)
  ) async throws(ChainFailure<Failure>) -> Output {
    let control = CollectionControl()
    let report = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(
          input, timeLimit: timeLimit, grace: grace, control: control,
          notify: DispatchQueue(label: "photo-ingest.chain")
        ) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      control.cancel()
    }
    return try report.result.get()
  }
}
