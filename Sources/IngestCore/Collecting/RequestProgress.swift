/// Decides what each event of one request means: a stand-in to show, the ending, or a signal to ignore.
///
/// A plain state machine without locks or calls; `RequestSlot` guards it and acts on the effects.
struct RequestProgress<Loader: AssetLoading>: Sendable {
  typealias Event = LoadEvent<Loader.Preview, Loader.Original>
  typealias Outcome = Collector<Loader>.Outcome

  /// What is to be done once the lock is released.
  struct Effects: Sendable {
    /// Whether the receiving thread is to show the stand-ins that wait, one by one.
    var showsPreviews = false
    var signals = false
    var ignored: [IgnoredSignal.Kind] = []
  }

  enum Step: Sendable {
    case show(Loader.Preview)
    case stop(signals: Bool)
  }

  private enum Phase: Sendable {
    case running
    case ended(Outcome)
    case taken, givenUp
  }

  private let asset: Asset
  private let options: ImageRequestOptions
  private var phase = Phase.running
  private var id: ImageRequestID?
  /// Events that came before `requestImage` returned; they are judged when the id is known.
  private var early: [(id: ImageRequestID, event: Event)] = []
  /// Stand-ins that wait to be shown. They are shown by one thread at a time, so that they keep their order.
  private var previews: [Loader.Preview] = []
  private var isShowing = false
  private var isCancelSent = false
  /// Whether one more ending is only the loader's word for what is already settled.
  private var awaitsConfirmation = false

  init(asset: Asset, options: ImageRequestOptions) {
    self.asset = asset
    self.options = options
  }

  /// Whether the outcome may be taken. Stand-ins that came before it are shown first.
  var isOver: Bool {
    if case .ended = phase { return !isShowing }
    return false
  }

  mutating func receive(_ event: Event, id: ImageRequestID) -> Effects {
    var effects = Effects()
    if self.id == nil {
      early.append((id, event))
    } else {
      judge(event, id: id, into: &effects)
    }
    return effects
  }

  /// Learns the id that `requestImage` returned and judges what came before it.
  mutating func adopt(_ id: ImageRequestID) -> Effects {
    var effects = Effects()
    self.id = id
    let arrived = early
    early = []
    for (id, event) in arrived { judge(event, id: id, into: &effects) }
    return effects
  }

  /// Gives the thread that shows stand-ins its next step.
  mutating func nextStep() -> Step {
    guard previews.isEmpty else { return .show(previews.removeFirst()) }
    isShowing = false
    return .stop(signals: isOver)
  }

  /// The id to cancel, once, while no ending is known.
  mutating func idToCancel() -> ImageRequestID? {
    switch phase {
    case .ended, .taken: return nil
    case .running, .givenUp: break
    }
    guard let id, !isCancelSent else { return nil }
    isCancelSent = true
    return id
  }

  /// Hands the outcome out and forgets it.
  mutating func take() -> Outcome? {
    guard case .ended(let outcome) = phase else { return nil }
    phase = .taken
    previews = []
    return outcome
  }

  /// Takes an ending that came at the last moment; otherwise whatever comes from now on is late.
  mutating func giveUp() -> Outcome? {
    if let outcome = take() { return outcome }
    phase = .givenUp
    previews = []
    awaitsConfirmation = true
    return nil
  }

  private mutating func judge(_ event: Event, id: ImageRequestID, into effects: inout Effects) {
    guard id == self.id else {
      effects.ignored.append(.wrongID)
      return
    }
    switch phase {
    case .running: advance(event, into: &effects)
    case .ended, .taken:
      if case .degraded = event {
        effects.ignored.append(.degradedAfterEnding)
      } else if !isConfirmation(event) {
        effects.ignored.append(.repeated)
      }
    case .givenUp:
      if !isConfirmation(event) { effects.ignored.append(.late) }
    }
  }

  private mutating func advance(_ event: Event, into effects: inout Effects) {
    let isTerminal = event.isTerminal(for: asset, options: options)
    switch event {
    case .final(let original): phase = .ended(.original(original))
    case .failed(let failure): phase = .ended(.failed(failure))
    case .cancelled: phase = .ended(.cancelled)
    case .degraded(let preview) where options.deliveryMode == .fastFormat: phase = .ended(.standIn(preview))
    case .degraded(let preview):
      if isTerminal {
        phase = .ended(.failed(LoadFailure(.networkOff, "the original is remote and network access is off")))
        awaitsConfirmation = true
      }
      previews.append(preview)
      if !isShowing { effects.showsPreviews = true }
      isShowing = true
    }
    if isOver { effects.signals = true }
  }

  /// A loader that was told to cancel says `cancelled`, and one without network says so: neither is a fault, once.
  private mutating func isConfirmation(_ event: Event) -> Bool {
    guard awaitsConfirmation else { return false }
    switch (event, phase) {
    case (.cancelled, _): break
    case (.failed(let failure), .ended), (.failed(let failure), .taken):
      guard failure.code == .networkOff else { return false }
    default: return false
    }
    awaitsConfirmation = false
    return true
  }
}
