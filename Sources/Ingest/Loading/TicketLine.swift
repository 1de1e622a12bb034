/// Holds the tickets of one site that wait for a thread, in the order in which they came.
struct TicketLine {
  let site: LoadSite
  private var waiting: [LoadTicket?]
  private var head = 0

  /// A line is never empty: the queue drops it with its last ticket.
  init(_ ticket: LoadTicket) {
    site = ticket.site
    waiting = [ticket]
  }

  var isEmpty: Bool { head == waiting.count }

  mutating func append(_ ticket: LoadTicket) {
    waiting.append(ticket)
  }

  mutating func popFirst() -> LoadTicket? {
    guard head < waiting.count else { return nil }
    let ticket = waiting[head]
    waiting[head] = nil
    head += 1
    if head >= 64, head * 2 >= waiting.count {
      waiting.removeFirst(head)
      head = 0
    }
    return ticket
  }

  /// Gives a ticket back that was taken; it is the next to be taken.
  mutating func putBack(_ ticket: LoadTicket) {
    if head > 0 {
      head -= 1
      waiting[head] = ticket
    } else {
      waiting.insert(ticket, at: 0)
    }
  }

  /// The first ticket of the next `reach` whose file nobody has been told to expect.
  func upcoming(within reach: Int) -> LoadTicket? {
    for case let ticket? in waiting[head...].prefix(reach) where ticket.expect() { return ticket }
    return nil
  }
}
