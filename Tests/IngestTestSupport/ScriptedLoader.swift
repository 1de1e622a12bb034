import Dispatch
public import IngestCore

/// Answers requests exactly as a test scripts it, also in the ways the contract forbids.
///
/// Without a script an asset gets a stand-in and then its original, as the contract has it. Events come from the
/// loader's own queues, or inside `requestImage` for a synchronous script. Nothing sleeps: gates hold the steps.
public final class ScriptedLoader: AssetLoading {
  public typealias Preview = String
  public typealias Original = String

  /// One step of a script. A step after the ending breaks the contract, which is what some scripts are for.
  public enum Step: Sendable {
    /// `stand-in of <path>`, or the text given.
    case degraded(String? = nil)
    /// `original of <path>`, or the text given.
    case final(String? = nil)
    case fail(LoadFailure)
    case cancelled
    /// The event of another step, under an id that is not the request's.
    indirect case underWrongID(Step)
    /// Holds the steps that follow until the gate is open. Blocks no thread.
    case hold(Gate)
    case open(Gate)
  }

  public struct Script: Sendable {
    public var steps: [Step]
    /// Whether the events come before `requestImage` returns; holds are passed over then.
    public var isSynchronous: Bool
    /// Whether a cancel is not answered: the script goes on as if nothing had been said.
    public var ignoresCancel: Bool
    /// Holds the answer to a cancel until it is open.
    public var cancelGate: Gate?

    public init(
      _ steps: [Step], isSynchronous: Bool = false, ignoresCancel: Bool = false, cancelGate: Gate? = nil
    ) {
      self.steps = steps
      self.isSynchronous = isSynchronous
      self.ignoresCancel = ignoresCancel
      self.cancelGate = cancelGate
    }

    /// A stand-in, then the original: the contract's fair weather.
    public static let usual = Script([.degraded(), .final()])
    /// No event at all, not even when cancelled.
    public static let never = Script([], ignoresCancel: true)
    /// No event until cancelled.
    public static let untilCancelled = Script([])
  }

  private struct Request: Sendable {
    let asset: Asset
    let script: Script
    let handler: ResultHandler
    var isOver = false
    var isCancelled = false
  }

  private struct State {
    var lastID: UInt64 = 0
    var running: [ImageRequestID: Request] = [:]
    var log = Log()
  }

  /// What the loader was asked, in order; every call counts.
  public struct Log: Sendable {
    public var requested: [Asset] = []
    public var cancelled: [Asset] = []
    public var options: [ImageRequestOptions] = []
    /// Requests without an ending now, and the most there ever were.
    public var inFlight = 0
    public var mostInFlight = 0
  }

  private let scripts: [Asset: Script]
  private let fallback: Script
  private let onRequest: @Sendable (Asset) -> Void
  private let lanes: [DispatchQueue]
  private let state = Guarded(State())

  /// - Parameters:
  ///   - scripts: By asset; all others get `fallback`.
  ///   - lanes: How many queues deliver events; requests take them in turn.
  ///   - onRequest: Runs inside `requestImage`, before anything else.
  public init(
    _ scripts: [Asset: Script] = [:], fallback: Script = .usual, lanes: Int = 2,
    onRequest: @escaping @Sendable (Asset) -> Void = { _ in }
  ) {
    self.scripts = scripts
    self.fallback = fallback
    self.onRequest = onRequest
    self.lanes = (0..<max(lanes, 1)).map { DispatchQueue(label: "scripted-loader.\($0)") }
  }

  /// How many cancels were answered with `cancelled`.
  public let cancelsAnswered = Count()

  public var log: Log { state.withLock { $0.log } }

  public func requestImage(
    for asset: Asset, options: ImageRequestOptions, resultHandler: @escaping ResultHandler
  ) -> ImageRequestID {
    onRequest(asset)
    let script = scripts[asset] ?? fallback
    let id = state.withLock { state in
      state.lastID += 1
      let id = ImageRequestID(state.lastID)
      state.running[id] = Request(asset: asset, script: script, handler: resultHandler)
      state.log.requested.append(asset)
      state.log.options.append(options)
      state.log.inFlight += 1
      state.log.mostInFlight = max(state.log.mostInFlight, state.log.inFlight)
      return id
    }
    if script.isSynchronous {
      play(script.steps[...], of: id, on: nil)
    } else {
      let lane = lane(of: id)
      lane.async { self.play(script.steps[...], of: id, on: lane) }
    }
    return id
  }

  public func cancelImageRequest(_ id: ImageRequestID) {
    let gate = state.withLock { state -> Gate? in
      guard let request = state.running[id] else { return nil }
      state.log.cancelled.append(request.asset)
      if request.isCancelled || request.script.ignoresCancel { return nil }
      state.running[id]?.isCancelled = true
      return request.script.cancelGate ?? .opened
    }
    // On the request's own lane: the answer must not cross an event that is on its way.
    let lane = lane(of: id)
    gate?.whenOpen { lane.async { self.sendCancelled(id) } }
  }

  private func lane(of id: ImageRequestID) -> DispatchQueue {
    lanes[Int(id.value) % lanes.count]
  }

  private func sendCancelled(_ id: ImageRequestID) {
    guard state.withLock({ $0.running[id]?.isOver == false }) else { return }
    send(.cancelled, of: id, under: id)
    cancelsAnswered.add()
  }

  private func play(_ steps: ArraySlice<Step>, of id: ImageRequestID, on lane: DispatchQueue?) {
    var rest = steps
    while let step = rest.popFirst() {
      let isStopped = state.withLock { state in
        guard let request = state.running[id] else { return true }
        return request.isCancelled && !request.isOver
      }
      if isStopped { return }
      switch step {
      case .hold(let gate):
        guard let lane else { continue }
        gate.whenOpen { [rest] in lane.async { self.play(rest, of: id, on: lane) } }
        return
      case .open(let gate): gate.open()
      case .underWrongID(let step): send(step, of: id, under: ImageRequestID(id.value + 1_000_000))
      default: send(step, of: id, under: id)
      }
    }
  }

  private func send(_ step: Step, of id: ImageRequestID, under shown: ImageRequestID) {
    guard let request = state.withLock({ $0.running[id] }) else { return }
    let path = request.asset.path.display
    let event: LoadEvent<Preview, Original>
    switch step {
    case .degraded(let text): event = .degraded(text ?? "stand-in of \(path)")
    case .final(let text): event = .final(text ?? "original of \(path)")
    case .fail(let failure): event = .failed(failure)
    case .cancelled: event = .cancelled
    case .underWrongID, .hold, .open: return
    }
    let isEnding = if case .degraded = event { false } else { shown == id }
    if isEnding {
      state.withLock { state in
        guard state.running[id]?.isOver == false else { return }
        state.running[id]?.isOver = true
        state.log.inFlight -= 1
      }
    }
    request.handler(shown, event)
  }
}
