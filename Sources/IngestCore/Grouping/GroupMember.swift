/// Holds one request of a group and its own handler, their type hidden.
struct GroupMember<Failure: Error>: Sendable {
  let start: RequestStart<GroupDelivery, Failure>
  /// Has the request's own handler hear a failure.
  let fail: @Sendable (RequestFailure<Failure>) -> Void

  init<Value: Sendable>(
    _ request: @escaping RequestStart<Value, Failure>,
    _ handler: @escaping @Sendable (RequestOutcome<Value, Failure>) -> Void
  ) {
    start = { done in
      request { outcome in done(outcome.map { value in GroupDelivery { handler(.success(value)) } }) }
    }
    fail = { handler(.failure($0)) }
  }
}

/// Brings one success to the request's own handler, and holds the value no longer than that.
final class GroupDelivery: Sendable {
  private let delivery: Guarded<(@Sendable () -> Void)?>

  init(_ delivery: @escaping @Sendable () -> Void) {
    self.delivery = Guarded(delivery)
  }

  func deliver() {
    delivery.withLock { $0.take() }?()
  }
}
