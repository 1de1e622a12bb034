public import Dispatch

/// Runs requests concurrently, at most three at once by default, and collects the errors of all.
///
/// Each request's own handler still runs, before the request counts as ended. When all have ended the group reports
/// success if none failed, else every error, in the order of the requests. A failure stops nobody. A group is a
/// description: every start is a run of its own, shares nothing with others, and touches no request outside of it.
///
/// Request functions need no change: pass them as they are, with the handlers they would have got.
///
/// ```swift
/// var group = RequestGroup<ServerError>()
/// group.add(fetchAlbum, onSuccess: { show($0) }, onFailure: { complain($0) })
/// group.add(fetchQuota, onSuccess: { store($0) }, onFailure: { _ in })
/// group.start(notify: .main) { report in finish(report.errors) }
/// ```
public struct RequestGroup<Failure: Error>: Sendable {
  /// The most requests in flight, the limit of one request, and how long a stop is waited for.
  public var limits: RequestLimits
  private var members: [GroupMember<Failure>] = []

  public init(limits: RequestLimits = RequestLimits(atOnce: 3)) {
    self.limits = limits
  }

  public var count: Int { members.count }

  /// Adds a request that may be cancelled. `handler` is the request's own and hears its one ending, on the thread that
  /// brings it.
  public mutating func add<Value: Sendable>(
    _ request: @escaping RequestStart<Value, Failure>,
    handler: @escaping @Sendable (RequestOutcome<Value, Failure>) -> Void = { _ in }
  ) {
    members.append(GroupMember(request, handler))
  }

  /// Adds a function that takes one completion.
  ///
  /// Such a function has no way to cancel it: when the group is stopped, or its time is over, its answer is late.
  public mutating func add<Value: Sendable>(
    _ function: @escaping @Sendable (_ completion: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void,
    handler: @escaping @Sendable (RequestOutcome<Value, Failure>) -> Void = { _ in }
  ) {
    add(
      { done in
        function { done($0.mapError(RequestFailure.reported)) }
        return nil
      }, handler: handler)
  }

  /// Adds a function that takes a handler for success and one for failure.
  ///
  /// `onFailure` hears the request's own failure as `reported`, and the endings that the group brings about.
  public mutating func add<Value: Sendable>(
    _ function:
      @escaping @Sendable (
        _ success: @escaping @Sendable (Value) -> Void, _ failure: @escaping @Sendable (Failure) -> Void
      ) -> Void,
    onSuccess: @escaping @Sendable (Value) -> Void, onFailure: @escaping @Sendable (RequestFailure<Failure>) -> Void
  ) {
    add(
      { done in
        function({ done(.success($0)) }, { done(.failure(.reported($0))) })
        return nil
      },
      handler: { outcome in
        switch outcome {
        case .success(let value): onSuccess(value)
        case .failure(let failure): onFailure(failure)
        }
      })
  }

  /// Adds an async function; its task is cancelled with the request.
  public mutating func add<Value: Sendable>(
    async function: @escaping @Sendable () async throws(Failure) -> Value,
    handler: @escaping @Sendable (RequestOutcome<Value, Failure>) -> Void = { _ in }
  ) {
    add(
      { done in
        let task = Task {
          do throws(Failure) {
            done(.success(try await function()))
          } catch {
            done(.failure(error is CancellationError ? .cancelled : .reported(error)))
          }
        }
        return { task.cancel() }
      }, handler: handler)
  }

  /// Starts the requests and returns at once; `followUp` hears the report, once, on `queue`.
  ///
  /// Requests begin in order, on a queue of this run's own. After a stop of `control` nothing new begins, what is in
  /// flight is cancelled, and every handler hears its ending all the same.
  public func start(
    control: CollectionControl = CollectionControl(), notify queue: DispatchQueue,
    followUp: @escaping @Sendable (GroupReport<Failure>) -> Void
  ) {
    let members = members
    RequestRun<GroupDelivery, Failure>(
      count: members.count, limits: limits,
      script: .init(
        start: { index, done in members[index].start(done) },
        heard: { index, outcome in
          switch outcome {
          case .success(let delivery): delivery.deliver()
          case .failure(let failure): members[index].fail(failure)
          }
        },
        ended: { report in
          let ended = GroupReport(report)
          queue.async { followUp(ended) }
        })
    ).start(control: control)
  }

  /// Runs the group for a caller that may suspend; resumes once. Cancelling the task stops the group.
  public func run() async -> GroupReport<Failure> {
    let control = CollectionControl()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(control: control, notify: DispatchQueue(label: "photo-ingest.group")) {
          continuation.resume(returning: $0)
        }
      }
    } onCancel: {
      control.cancel()
    }
  }
}
