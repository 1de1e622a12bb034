import Dispatch
import IngestCore

/// Hands tickets to loader threads: the sites that share the threads take turns, and each site's tickets come in the order
/// in which they were asked for.
///
/// A thread that asks for the next one is parked on a semaphore that counts the tickets waiting; closing the queue lets
/// every thread go once the tickets that were already in it are taken.
final class TicketQueue: Sendable {
  private struct State {
    /// One for each site with tickets that wait; never an empty one.
    var lines: [TicketLine] = []
    /// The line whose turn it is, unless there is none.
    var next = 0
    var isClosed = false
  }

  private let state = Guarded(State())
  private let available = DispatchSemaphore(value: 0)

  func append(_ ticket: LoadTicket) {
    state.withLock { state in
      precondition(!state.isClosed, "a loader that was shut down takes no requests")
      if let place = state.lines.firstIndex(where: { $0.site === ticket.site }) {
        state.lines[place].append(ticket)
      } else {
        state.lines.append(TicketLine(ticket))
      }
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

  /// A ticket that is soon taken, and whose file nobody has been told to expect; it stays where it is.
  func upcoming(within reach: Int) -> LoadTicket? {
    state.withLock { state in
      for offset in state.lines.indices {
        let line = state.lines[(state.next + offset) % state.lines.count]
        if let ticket = line.upcoming(within: reach) { return ticket }
      }
      return nil
    }
  }

  private func pop() -> LoadTicket? {
    state.withLock { state in
      guard !state.lines.isEmpty else { return nil }
      let place = state.next
      let ticket = state.lines[place].popFirst()
      if state.lines[place].isEmpty {
        state.lines.remove(at: place)
      } else {
        state.next += 1
      }
      if state.next >= state.lines.count { state.next = 0 }
      return ticket
    }
  }

  /// Gives a ticket back that was taken but cannot be worked on; it is the next of its site to be taken.
  func putBack(_ ticket: LoadTicket) {
    state.withLock { state in
      if let place = state.lines.firstIndex(where: { $0.site === ticket.site }) {
        state.lines[place].putBack(ticket)
      } else {
        state.lines.append(TicketLine(ticket))
      }
    }
    available.signal()
  }

  /// Ends the queue: each of `threads` waiting threads gets one nil.
  func close(threads: Int) {
    state.withLock { $0.isClosed = true }
    for _ in 0..<threads { available.signal() }
  }
}
