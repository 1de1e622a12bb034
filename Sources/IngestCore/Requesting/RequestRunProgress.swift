import Dispatch

/// Decides what each step of a run of requests means. A plain state machine without calls; `RequestRun` guards it and
/// acts on what it says.
struct RequestRunProgress<Value: Sendable, Failure: Error>: Sendable {
  typealias Run = RequestRun<Value, Failure>
  typealias Outcome = RequestOutcome<Value, Failure>

  /// An ending as it counts, and what is to be done about it once the lock is released.
  struct Record: Sendable {
    let outcome: Outcome
    let heard: (@Sendable (Int, Outcome) -> Void)?
    let stopsOthers: Bool
  }

  struct End: Sendable {
    let script: Run.Script
    let report: RequestReport<Value, Failure>
    let hasStopped: Bool
    let control: CollectionControl?
    let key: Int?
  }

  let count: Int
  private let atOnce: Int
  private let stopsAtFirstFailure: Bool
  private var script: Run.Script?
  private var outcomes: [Outcome?]
  private var flights: [Int: Run.Flight] = [:]
  private var next = 0
  /// Permits that are out: requests that began and whose ending has not been told yet.
  private var permits = 0
  /// How many requests are over and told.
  private(set) var left = 0
  /// Keeps the run from ending while a step is still at work. The start holds it first.
  private var holds = 1
  private var isPumpDue = false
  private var hasStopped = false
  private var wasCancelled = false
  private var cause: RequestFault<Failure>?
  private var abandoned = 0
  private var control: CollectionControl?
  private var key: Int?
  var ignored = IgnoredSignals()
  var deadlines = DeadlineLine()

  init(count: Int, atOnce: Int, stopsAtFirstFailure: Bool, script: Run.Script) {
    self.count = count
    self.atOnce = atOnce
    self.stopsAtFirstFailure = stopsAtFirstFailure
    self.script = script
    outcomes = Array(repeating: nil, count: count)
  }

  /// The requests in flight, in order.
  var inFlight: [Run.Flight] { flights.values.sorted { $0.index < $1.index } }

  mutating func keep(_ control: CollectionControl, _ key: Int?) {
    self.control = control
    self.key = key
  }

  // MARK: Beginning

  /// Whether the queue must be asked to begin more; it is asked once for all who come before it looks.
  mutating func askForPump() -> Bool {
    guard !isPumpDue, mayBegin else { return false }
    isPumpDue = true
    return true
  }

  mutating func beginPump() {
    isPumpDue = false
  }

  mutating func next(of run: Run) -> (flight: Run.Flight, start: Run.Start)? {
    guard mayBegin, let start = script?.start else { return nil }
    let flight = Run.Flight(index: next, of: run)
    flights[next] = flight
    next += 1
    permits += 1
    return (flight, start)
  }

  private var mayBegin: Bool { !hasStopped && next < count && permits < atOnce }

  // MARK: Ending

  /// Takes one ending. A failure that comes after a stop is the stop's doing as far as anyone can tell: it counts as
  /// cancelled, so a run has one cause. A success is kept.
  mutating func record(_ index: Int, _ outcome: Outcome, isAbandoned: Bool) -> Record {
    var outcome = outcome
    var stopsOthers = false
    if isAbandoned { abandoned += 1 }
    if case .failure(let failure) = outcome {
      if hasStopped {
        outcome = .failure(.cancelled)
      } else if stopsAtFirstFailure {
        cause = RequestFault(index: index, failure: failure)
        hasStopped = true
        stopsOthers = true
      }
    }
    outcomes[index] = outcome
    flights[index] = nil
    return Record(outcome: outcome, heard: script?.heard, stopsOthers: stopsOthers)
  }

  /// Gives the permit of a request back whose ending has been told.
  mutating func leave() {
    permits -= 1
    left += 1
  }

  /// Whether the owner's stop is the first; then the run does not end before `release`.
  mutating func beginStop() -> Bool {
    guard !hasStopped, left < count else { return false }
    hasStopped = true
    wasCancelled = true
    holds += 1
    return true
  }

  /// Gives everyone a stop concerns: the requests in flight, and those that will not begin, which are cancelled here.
  mutating func windDown() -> (script: Run.Script?, flights: [Run.Flight], unbegun: Range<Int>) {
    let unbegun = next..<count
    next = count
    for index in unbegun { outcomes[index] = .failure(.cancelled) }
    return (script, inFlight, unbegun)
  }

  /// Counts requests as over that never began.
  mutating func leaveUnbegun(_ number: Int) {
    left += number
  }

  mutating func release() {
    holds -= 1
  }

  /// Ends the run when everyone has left, once, and lets go of everything.
  mutating func end() -> End? {
    guard left == count, holds == 0, let script else { return nil }
    self.script = nil
    let report = RequestReport(
      outcomes: outcomes.compactMap(\.self), cause: cause, wasCancelled: wasCancelled, abandoned: abandoned,
      ignored: ignored)
    outcomes = []
    defer { control = nil }
    return End(script: script, report: report, hasStopped: hasStopped, control: control, key: key)
  }

  // MARK: Time limits

  /// Takes the flights whose time is over, and says when the next one's will be.
  mutating func expire(at now: DispatchTime) -> (late: [Run.Flight], next: DispatchTime?) {
    let due = deadlines.takeDue(at: now) { flights[$0] != nil }
    return (due.compactMap { flights[$0] }, deadlines.first)
  }
}
