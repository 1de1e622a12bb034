import Dispatch
import IngestCore

/// Hands tickets to loader threads in the order in which they came.
///
/// A thread that asks for the next one is parked on a semaphore that counts the tickets waiting; closing the queue lets
/// every thread go once the tickets that were already in it are taken.
final class TicketQueue: Sendable {
  private struct State {
    var waiting: [LoadTicket?] = []
    var head = 0
    var open: [ImageRequestID: LoadTicket] = [:]
    var isClosed = false
    var finished = 0
    /// Threads that write the thumbnails of a ticket that has had its ending.
    var writing = 0
    var isGivenUp = false
  }

  private let state = Guarded(State())
  private let available = DispatchSemaphore(value: 0)

  func append(_ ticket: LoadTicket) {
    state.withLock {
      precondition(!$0.isClosed, "a loader that was shut down takes no requests")
      $0.waiting.append(ticket)
      $0.open[ticket.id] = ticket
    }
    available.signal()
  }

  /// Blocks until there is a ticket; nil when the queue was closed and is empty.
  @available(*, noasync, message: "next blocks its thread")
  func next() -> LoadTicket? {
    available.wait()
    return pop()
  }

  /// The next ticket if there is one by now.
  func nextIfWaiting() -> LoadTicket? {
    guard available.wait(timeout: .now()) == .success else { return nil }
    guard let ticket = pop() else {
      // That was the end of the queue, which `next` is to find.
      available.signal()
      return nil
    }
    return ticket
  }

  /// The first ticket of the next `reach` whose file nobody has been told to expect; it stays where it is.
  func upcoming(within reach: Int) -> LoadTicket? {
    state.withLock { state in
      for case let ticket? in state.waiting[state.head...].prefix(reach) where ticket.expect() { return ticket }
      return nil
    }
  }

  private func pop() -> LoadTicket? {
    state.withLock { state in
      guard state.head < state.waiting.count else { return nil }
      let ticket = state.waiting[state.head]
      state.waiting[state.head] = nil
      state.head += 1
      if state.head >= 64, state.head * 2 >= state.waiting.count {
        state.waiting.removeFirst(state.head)
        state.head = 0
      }
      return ticket
    }
  }

  /// Gives a ticket back that was taken but cannot be worked on; it is the next to be taken.
  func putBack(_ ticket: LoadTicket) {
    state.withLock { state in
      if state.head > 0 {
        state.head -= 1
        state.waiting[state.head] = ticket
      } else {
        state.waiting.insert(ticket, at: 0)
      }
    }
    available.signal()
  }

  /// Forgets a ticket whose ending was sent.
  func finish(_ ticket: LoadTicket) {
    state.withLock { state in
      state.open.removeValue(forKey: ticket.id)
      state.finished += 1
    }
  }

  /// How many tickets have had their ending.
  var finished: Int { state.withLock { $0.finished } }

  /// False when nobody waits for the threads any more: then nothing may be written.
  func beginWriting() -> Bool {
    state.withLock { state in
      guard !state.isGivenUp else { return false }
      state.writing += 1
      return true
    }
  }

  func endWriting() {
    state.withLock { $0.writing -= 1 }
  }

  /// Forbids every later write when no ticket has ended since there were `finished`, and nobody is writing; else false.
  func giveUp(since finished: Int) -> Bool {
    state.withLock { state in
      guard state.finished == finished, state.writing == 0 else { return false }
      state.isGivenUp = true
      return true
    }
  }

  /// Finds a request that has not ended yet.
  func openTicket(_ id: ImageRequestID) -> LoadTicket? {
    state.withLock { $0.open[id] }
  }

  /// Ends the queue: each of `threads` waiting threads gets one nil.
  func close(threads: Int) {
    state.withLock { $0.isClosed = true }
    for _ in 0..<threads { available.signal() }
  }
}
