import Foundation
import IngestCore

/// Stays shut until a test opens it; whoever waits goes on then. It cannot be shut again.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [@Sendable () -> Void] = []
  }

  private let state = Guarded(State())

  public init() {}

  /// A gate that holds nobody.
  static let opened: Gate = {
    let gate = Gate()
    gate.open()
    return gate
  }()

  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets everyone through; those who wait without a thread run on the calling thread, in the order they came.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Runs `body` when the gate opens, at once if it is open.
  public func whenOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiters.append(body) }
      return state.isOpen
    }
    if isOpen { body() }
  }

  /// Blocks the calling thread until the gate is open. False after `limit` seconds: a broken test, not a slow one.
  @discardableResult public func wait(limit: Double = 30) -> Bool {
    let opened = DispatchSemaphore(value: 0)
    whenOpen { opened.signal() }
    return opened.wait(timeout: .now() + limit) == .success
  }

  /// Suspends the calling task until the gate is open.
  public func passed() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
  }
}

/// Counts up, and opens gates at figures that a test waits for.
public final class Count: Sendable {
  private struct State {
    var value = 0
    var highest = 0
    var gates: [(figure: Int, gate: Gate)] = []
  }

  private let state = Guarded(State())

  public init() {}

  public var value: Int { state.withLock { $0.value } }
  /// The highest figure so far.
  public var highest: Int { state.withLock { $0.highest } }

  /// Adds `step` and returns the new figure.
  @discardableResult public func add(_ step: Int = 1) -> Int {
    let (value, reached) = state.withLock { state in
      state.value += step
      state.highest = max(state.highest, state.value)
      let value = state.value
      let reached = state.gates.filter { $0.figure <= value }.map(\.gate)
      state.gates.removeAll { $0.figure <= value }
      return (value, reached)
    }
    for gate in reached { gate.open() }
    return value
  }

  /// A gate that opens when the figure is reached.
  public func gate(at figure: Int) -> Gate {
    let gate = Gate()
    let isReached = state.withLock { state in
      if state.value < figure { state.gates.append((figure, gate)) }
      return state.value >= figure
    }
    if isReached { gate.open() }
    return gate
  }
}
