import Dispatch

/// Keeps the deadlines of requests that share one time limit: whoever began first is due first.
///
/// One timer serves them all, however many there are.
struct DeadlineLine: Sendable {
  private var line: [(index: Int, deadline: DispatchTime)] = []
  private var head = 0

  /// The earliest deadline.
  var first: DispatchTime? { head < line.count ? line[head].deadline : nil }

  /// Adds a request that has just begun; true when it is the only one, so that a timer is needed.
  mutating func add(_ index: Int, _ deadline: DispatchTime) -> Bool {
    line.append((index, deadline))
    return line.count - head == 1
  }

  /// Removes the requests at the front that are due or over, and gives those that are due.
  mutating func takeDue(at now: DispatchTime, isOpen: (Int) -> Bool) -> [Int] {
    var due: [Int] = []
    while head < line.count {
      let (index, deadline) = line[head]
      let isOpen = isOpen(index)
      guard !isOpen || deadline <= now else { break }
      if isOpen { due.append(index) }
      head += 1
    }
    if head * 2 > line.count {
      line.removeFirst(head)
      head = 0
    }
    return due
  }
}
