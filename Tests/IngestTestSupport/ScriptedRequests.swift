import Dispatch
public import IngestCore

/// Answers numbered requests exactly as a test scripts it, also in the ways the contract forbids.
///
/// Without a script request 3 succeeds with `value 3`. Endings come from the requests' own queues, or inside the start
/// for a synchronous script. Nothing sleeps: gates hold the steps.
public final class ScriptedRequests: Sendable {
  public typealias Completion = RequestCompletion<String, RequestTrouble>

  /// One step of a script. A step after the ending breaks the contract, which is what some scripts are for.
  public enum Step: Sendable {
    /// `value 3`, or the text given.
    case succeed(String? = nil)
    case fail(RequestTrouble)
    case cancelled
    /// Holds the steps that follow until the gate is open. Blocks no thread.
    case hold(Gate)
    case open(Gate)
    /// Lets go of the completion.
    case drop
  }

  public struct Script: Sendable {
    public var steps: [Step]
    /// Whether the steps are played before the start returns; holds are passed over then.
    public var isSynchronous: Bool
    /// Whether a cancel is not answered: the script goes on as if nothing had been said.
    public var ignoresCancel: Bool
    /// Whether there is a way to cancel at all.
    public var hasCancel: Bool

    public init(_ steps: [Step], isSynchronous: Bool = false, ignoresCancel: Bool = false, hasCancel: Bool = true) {
      self.steps = steps
      self.isSynchronous = isSynchronous
      self.ignoresCancel = ignoresCancel
      self.hasCancel = hasCancel
    }

    public static let usual = Script([.succeed()])
    public static let prompt = Script([.succeed()], isSynchronous: true)
    /// No ending at all, not even when cancelled.
    public static let never = Script([], ignoresCancel: true)
    /// No ending until cancelled.
    public static let untilCancelled = Script([])
  }

  /// What was asked, in order; every call counts.
  public struct Log: Sendable {
    public var started: [Int] = []
    public var cancelled: [Int] = []
    public var inFlight = 0
    public var mostInFlight = 0
  }

  private struct State {
    var log = Log()
    var completions: [Int: Completion] = [:]
    /// Ended, or told to give up: a script that hears cancels plays no further.
    var silent: Set<Int> = []
    var over: Set<Int> = []
  }

  private let scripts: [Int: Script]
  private let fallback: Script
  private let onStart: @Sendable (Int) -> Void
  private let queues = (0..<3).map { DispatchQueue(label: "scripted-requests.\($0)") }
  private let state = Guarded(State())

  /// - Parameter onStart: Runs inside the start, before anything else.
  public init(
    _ scripts: [Int: Script] = [:], fallback: Script = .usual, onStart: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.scripts = scripts
    self.fallback = fallback
    self.onStart = onStart
  }

  public var log: Log { state.withLock { $0.log } }
  /// How many completions are kept.
  public var kept: Int { state.withLock { $0.completions.count } }

  /// Starts request `index`.
  public func start(_ index: Int, _ done: @escaping Completion) -> RequestCancel? {
    let script = scripts[index] ?? fallback
    state.withLock { state in
      state.log.started.append(index)
      state.log.inFlight += 1
      state.log.mostInFlight = max(state.log.mostInFlight, state.log.inFlight)
      state.completions[index] = done
    }
    // Counted first: what this lets go on may end another request, and then the figures would depend on who is quicker.
    onStart(index)
    if script.isSynchronous {
      play(script.steps[...], of: index, on: nil)
    } else {
      let queue = queue(of: index)
      queue.async { self.play(script.steps[...], of: index, on: queue) }
    }
    guard script.hasCancel else { return nil }
    return { self.cancel(index, script) }
  }

  /// Forgets every completion, as a client does that is torn down.
  public func forgetAll() {
    let completions = state.withLock { state in
      defer { state.completions = [:] }
      return state.completions
    }
    withExtendedLifetime(completions) {}
  }

  private func cancel(_ index: Int, _ script: Script) {
    let answers = state.withLock { state in
      state.log.cancelled.append(index)
      guard !script.ignoresCancel, !state.over.contains(index) else { return false }
      return state.silent.insert(index).inserted
    }
    // On the request's own queue: the answer must not cross an ending that is on its way.
    if answers { queue(of: index).async { self.end(index, .failure(.cancelled), answersCancel: true) } }
  }

  private func queue(of index: Int) -> DispatchQueue { queues[index % queues.count] }

  private func play(_ steps: ArraySlice<Step>, of index: Int, on queue: DispatchQueue?) {
    var rest = steps
    while let step = rest.popFirst() {
      if state.withLock({ $0.silent.contains(index) }) { return }
      switch step {
      case .succeed(let text): end(index, .success(text ?? "value \(index)"))
      case .fail(let trouble): end(index, .failure(.reported(trouble)))
      case .cancelled: end(index, .failure(.cancelled))
      case .open(let gate): gate.open()
      case .drop:
        let completion = state.withLock { $0.completions.removeValue(forKey: index) }
        withExtendedLifetime(completion) {}
      case .hold(let gate):
        guard let queue else { continue }
        gate.whenOpen { [rest] in queue.async { self.play(rest, of: index, on: queue) } }
        return
      }
    }
  }

  /// Sends one ending. Of a cancel's answer and a script's first ending that cross only one is sent.
  private func end(
    _ index: Int, _ outcome: RequestOutcome<String, RequestTrouble>, answersCancel: Bool = false
  ) {
    let completion = state.withLock { state -> Completion? in
      let isFirst = !state.over.contains(index)
      guard isFirst ? answersCancel == state.silent.contains(index) : !answersCancel else { return nil }
      if isFirst {
        state.over.insert(index)
        state.log.inFlight -= 1
      }
      return state.completions[index]
    }
    completion?(outcome)
  }
}

/// The error of scripted requests.
public enum RequestTrouble: Error, Hashable, Sendable {
  case refused
  case broken(Int)
}
