import Dispatch

/// Passes elements one by one from a thread that may block to one task that may only suspend.
///
/// The giver is held until its element has been taken, so a slow taker slows the giver and nothing piles up. Every
/// suspended taker is resumed exactly once: with an element, or with nil when the giver has finished, the taker's task
/// was cancelled or `close` was called.
final class HandOff<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var taker: CheckedContinuation<Element?, Never>?
    var offered: Element?
    var isOver = false
  }

  private enum Place: Sendable {
    case over, offered
    case taker(CheckedContinuation<Element?, Never>)
  }
  private enum Answer: Sendable {
    case now(Element?)
    case later
  }

  private let state = Guarded(State())
  /// Initial value 0; signalled when the offered element has been taken or dropped.
  private let isTaken = DispatchSemaphore(value: 0)
  private let onClose: @Sendable () -> Void

  init(onClose: @escaping @Sendable () -> Void) {
    self.onClose = onClose
  }

  /// Blocks until `element` has been taken; false when nobody will take it.
  func give(_ element: Element) -> Bool {
    let place = state.withLock { state -> Place in
      if state.isOver { return .over }
      if let taker = state.taker.take() { return .taker(taker) }
      state.offered = element
      return .offered
    }
    switch place {
    case .over: return false
    case .taker(let taker):
      taker.resume(returning: element)
      return true
    case .offered:
      isTaken.wait()
      return state.withLock { !$0.isOver }
    }
  }

  /// Ends the taker's side after the last element. The giver calls it.
  func finish() {
    end()
  }

  /// Ends both sides at once: the taker is gone or wants no more.
  func close() {
    if end() { onClose() }
  }

  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Answer in
          if state.isOver { return .now(nil) }
          if let element = state.offered.take() { return .now(element) }
          precondition(state.taker == nil, "outcomes are taken by one task at a time")
          state.taker = continuation
          return .later
        }
        guard case .now(let element) = answer else { return }
        if element != nil { isTaken.signal() }
        continuation.resume(returning: element)
      }
    } onCancel: {
      close()
    }
  }

  @discardableResult private func end() -> Bool {
    let (isFirst, taker, dropped) = state.withLock { state in
      let isFirst = !state.isOver
      state.isOver = true
      return (isFirst, state.taker.take(), state.offered.take())
    }
    if dropped != nil { isTaken.signal() }
    taker?.resume(returning: nil)
    return isFirst
  }
}
