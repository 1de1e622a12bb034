internal import CPublishing
internal import IngestCore

/// Moves the requests of one client, on the client's thread.
///
/// Everybody else puts words into the inbox and wakes the thread; what is in flight is known to the thread alone.
final class HTTPEngine: Sendable {
  typealias Done = RequestCompletion<HTTPAnswer, HTTPFailure>

  private struct Inbox {
    var lastNumber = 0
    var added: [HTTPFlight] = []
    var cancelled: Set<Int> = []
    /// Set when nothing is taken any more: what a request that comes then ends with.
    var refusal: RequestFailure<HTTPFailure>?
    /// There while the thread may be woken. Used under the guard, so that it cannot go meanwhile.
    var session: HTTPSession?

    mutating func takeAdded() -> [HTTPFlight] {
      defer { added = [] }
      return added
    }

    mutating func takeCancelled() -> Set<Int> {
      defer { cancelled = [] }
      return cancelled
    }
  }

  /// So many errors of the library in a row end the client.
  private static let mostFailures = 3

  private let inbox = Guarded(Inbox())

  func add(_ request: HTTPRequest, _ done: @escaping Done) -> RequestCancel {
    let (number, refusal) = inbox.withLock { inbox in
      inbox.lastNumber += 1
      if inbox.refusal == nil { inbox.added.append(HTTPFlight(inbox.lastNumber, request, done)) }
      inbox.session?.wake()
      return (inbox.lastNumber, inbox.refusal)
    }
    if let refusal { done(.failure(refusal)) }
    return { [self] in
      inbox.withLock { inbox in
        guard inbox.refusal == nil else { return }
        inbox.cancelled.insert(number)
        inbox.session?.wake()
      }
    }
  }

  /// Ends the thread; what has not ended by then ends as cancelled.
  func close() {
    refuse(.cancelled)
  }

  private func refuse(_ refusal: RequestFailure<HTTPFailure>) {
    inbox.withLock { inbox in
      if inbox.refusal == nil { inbox.refusal = refusal }
      inbox.session?.wake()
    }
  }

  /// The thread: until the client is closed, and everything that was in flight has ended.
  func run() {
    let session: HTTPSession
    do {
      session = try HTTPSession()
    } catch {
      refuse(.reported(error))
      let (waiting, refusal) = inbox.withLock { ($0.takeAdded(), $0.refusal) }
      for flight in waiting { flight.end(.failure(refusal ?? .cancelled)) }
      return
    }
    inbox.withLock { $0.session = session }
    var flights = HTTPFlights()
    var failures = 0
    while true {
      let (added, cancelled, refusal) = inbox.withLock { inbox in
        (inbox.takeAdded(), inbox.takeCancelled(), inbox.refusal)
      }
      for flight in added {
        if cancelled.contains(flight.number) {
          flight.end(.failure(.cancelled))
        } else {
          flights.begin(flight, in: session)
        }
      }
      for number in cancelled { flights.cancel(number) }
      if let refusal {
        flights.endAll(refusal)
        break
      }
      var failure = session.perform()
      flights.takeEnded(of: session)
      if failure == nil { failure = session.wait(milliseconds: 1000) }
      if let failure {
        flights.endAll(.reported(failure))
        failures += 1
        // An error that lasts would make this loop spin.
        if failures >= Self.mostFailures { refuse(.reported(failure)) }
      } else {
        failures = 0
      }
    }
    inbox.withLock { $0.session = nil }
    session.free()
  }
}

/// Knows what is in flight. Belongs to the client's thread.
private struct HTTPFlights {
  private var flights: [Int: HTTPFlight] = [:]
  private var numbers: [HTTPTransfer: Int] = [:]
  /// Servers that let a whole second go by without a word to "Expect: 100-continue"; they are not asked again.
  private var mutes: Set<String> = []

  mutating func begin(_ flight: HTTPFlight, in session: HTTPSession) {
    if let fault = flight.request.fault {
      flight.end(.failure(.reported(HTTPFailure(reason: fault))))
      return
    }
    do {
      let transfer = try session.add(flight, expects: flight.isLarge && !mutes.contains(flight.server))
      flights[flight.number] = flight
      numbers[transfer] = flight.number
      flight.transfer = transfer
    } catch {
      flight.end(.failure(.reported(error)))
    }
  }

  mutating func cancel(_ number: Int) {
    take(number)?.end(.failure(.cancelled))
  }

  mutating func endAll(_ failure: RequestFailure<HTTPFailure>) {
    for number in flights.keys.sorted() { take(number)?.end(.failure(failure)) }
  }

  /// Ends what is over, or sends it on where a redirection leads.
  mutating func takeEnded(of session: HTTPSession) {
    while let (transfer, result) = session.next() {
      guard let number = numbers[transfer], let flight = take(number) else { continue }
      if flight.wasUnheeded(result) { mutes.insert(flight.server) }
      if flight.follow(result) {
        begin(flight, in: session)
      } else {
        flight.end(flight.outcome(result))
      }
    }
  }

  private mutating func take(_ number: Int) -> HTTPFlight? {
    guard let flight = flights.removeValue(forKey: number) else { return nil }
    if let transfer = flight.transfer {
      numbers[transfer] = nil
      transfer.free()
      flight.transfer = nil
    }
    return flight
  }
}
