import Dispatch

/// Lets the owner of a running collection or loop stop it from any thread.
///
/// One control may serve several collections at once; a stop reaches all of them and cannot be taken back.
public final class CollectionControl: Sendable {
  private struct State {
    var cancelledAt: DispatchTime?
    var lastKey = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())

  public init() {}

  /// Stops what runs under this control: nothing new is begun and the requests in flight are cancelled.
  ///
  /// Wakes a waiting loop. Only the first call does anything. The loader's `cancelImageRequest` runs on the calling
  /// thread, so call it from a thread on which that may happen (a signal handler is none).
  public func cancel() {
    let handlers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.cancelledAt == nil else { return [] }
      state.cancelledAt = .now()
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler() }
  }

  /// Whether `cancel` has been called.
  public var isCancelled: Bool {
    cancelledAt != nil
  }

  /// When `cancel` was first called: the moment from which the grace of the endings still missing is counted.
  var cancelledAt: DispatchTime? {
    state.withLock { $0.cancelledAt }
  }

  /// Runs `handler` once, on the thread that cancels; at once when the stop has already been asked for.
  ///
  /// The key takes the handler back. A handler may still be running on another thread when `forget` returns.
  package func whenCancelled(_ handler: @escaping @Sendable () -> Void) -> Int? {
    let key = state.withLock { state -> Int? in
      guard state.cancelledAt == nil else { return nil }
      state.lastKey += 1
      state.handlers[state.lastKey] = handler
      return state.lastKey
    }
    if key == nil { handler() }
    return key
  }

  package func forget(_ key: Int?) {
    guard let key else { return }
    // The handler is let go after the lock: what it holds may end with it.
    let handler = state.withLock { $0.handlers.removeValue(forKey: key) }
    withExtendedLifetime(handler) {}
  }
}
