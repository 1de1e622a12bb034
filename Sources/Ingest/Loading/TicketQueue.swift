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

    /// Takes the first ticket of a line; the line behind it has the next turn.
    mutating func takeFirst(of place: Int) -> LoadTicket? {
      let ticket = lines[place].popFirst()
      if lines[place].isEmpty {
        lines.remove(at: place)
        if place < next { next -= 1 }
      } else if place == next {
        next += 1
      }
      if next >= lines.count { next = 0 }
      return ticket
    }
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

  /// The next ticket of one site if there is one by now; nil also when another site waits and this one has had
  /// `taken` tickets in a row.
  func nextIfWaiting(at site: LoadSite, taken: Int) -> LoadTicket? {
    guard available.wait(timeout: .now()) == .success else { return nil }
    let ticket = state.withLock { state -> LoadTicket? in
      guard let place = state.lines.firstIndex(where: { $0.site === site }),
        state.lines.count == 1 || taken < Self.longestRow
      else { return nil }
      return state.takeFirst(of: place)
    }
    // What was counted is for `next` to find: a ticket of another site, or the end of the queue.
    if ticket == nil { available.signal() }
    return ticket
  }

  /// So many tickets of one site in a row are taken by a thread that works ahead while other sites wait.
  private static let longestRow = 4

  /// A ticket of one site that is soon taken, and whose file nobody has been told to expect; it stays where it is.
  func upcoming(at site: LoadSite, within reach: Int) -> LoadTicket? {
    state.withLock { $0.lines.first { $0.site === site }?.upcoming(within: reach) }
  }

  /// The next ticket if there is one by now; never blocks.
  func nextIfWaiting() -> LoadTicket? {
    guard available.wait(timeout: .now()) == .success else { return nil }
    guard let ticket = pop() else {
      available.signal()
      return nil
    }
    return ticket
  }

  private func pop() -> LoadTicket? {
    state.withLock { $0.lines.isEmpty ? nil : $0.takeFirst(of: $0.next) }
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
