public import Dispatch

/// Tells when all who entered have left, whatever became of them.
///
/// Every `enter` gives an entry, which leaves once: a second `leave` of the same entry is counted and never taken for
/// another's, and an entry that is let go has left. So no path out of a request leaves the group waiting. Safe from every
/// thread; the group may be let go while notices are due.
///
/// ```swift
/// let entry = group.enter()
/// client.get(url) { answer in
///   keep(answer)
///   entry.leave()
/// }
/// group.notify(on: .main) { _ in showAll() }
/// ```
public final class CompletionGroup: Sendable {
  /// Why a notice came.
  public enum Ending: Hashable, Sendable {
    case allLeft
    /// The notice's time limit was over and this many were still in.
    case timedOut(stillIn: Int)
  }

  private let state = Guarded(CompletionCount())
  private let queue = DispatchQueue(label: "photo-ingest.completion-group")

  public init() {}

  /// How many have entered and not left.
  public var stillIn: Int { state.withLock { $0.stillIn } }

  /// How many times an entry left that had left before. None of them was counted for another entry.
  public var unbalancedLeaves: Int { state.withLock { $0.unbalanced } }

  /// Enters before a request begins. The entry leaves in the request's completion.
  public func enter() -> Entry {
    state.withLock { $0.stillIn += 1 }
    return Entry(of: self)
  }

  /// Enters, and gives a completion that leaves after `completion` has run: the request itself needs no change.
  public func entering<each Argument>(
    _ completion: @escaping @Sendable (repeat each Argument) -> Void
  ) -> @Sendable (repeat each Argument) -> Void {
    let entry = enter()
    return { (argument: repeat each Argument) in
      completion(repeat each argument)
      entry.leave()
    }
  }

  /// Runs `body` once, on `queue`, when all have left: at once when nobody is in now.
  ///
  /// Those who enter later are waited for only if somebody was in all the time. With a time limit it runs no later than
  /// that from now, with the number of those still in.
  public func notify(on queue: DispatchQueue, timeLimit: Duration? = nil, _ body: @escaping @Sendable (Ending) -> Void)
  {
    notify(by: { queue.async(execute: $0) }, timeLimit: timeLimit, body)
  }

  /// The same on a thread of the caller's choice: `hand` gets the work, once, and has it run there.
  ///
  /// `hand` itself runs on the thread of the last `leave`, and must return at once.
  public func notify(
    by hand: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void, timeLimit: Duration? = nil,
    _ body: @escaping @Sendable (Ending) -> Void
  ) {
    let notice: CompletionCount.Notice = { ending in hand { body(ending) } }
    guard let key = state.withLock({ $0.add(notice) }) else { return notice(.allLeft) }
    guard let timeLimit else { return }
    // Held weakly: a group nobody can leave any more has told everyone already.
    queue.asyncAfter(deadline: .now().after(timeLimit)) { [weak self] in
      guard let (notice, stillIn) = self?.state.withLock({ $0.takeLate(key) }) else { return }
      notice(.timedOut(stillIn: stillIn))
    }
  }

  /// Suspends until all have left, and resumes once. False when the time limit was over or the task was cancelled first.
  @discardableResult public func allLeft(timeLimit: Duration? = nil) async -> Bool {
    let wait = OneResume<Bool>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.hold(continuation)
        notify(by: { $0() }, timeLimit: timeLimit) { wait.resume($0 == .allLeft) }
      }
    } onCancel: {
      wait.resume(false)
    }
  }

  fileprivate func leave() {
    for notice in state.withLock({ $0.leave() }) { notice(.allLeft) }
  }

  fileprivate func countUnbalanced() {
    state.withLock { $0.unbalanced += 1 }
  }

  /// Stands for one that has entered. Leaves once.
  public final class Entry: Sendable {
    private let group: CompletionGroup
    private let hasLeft = Guarded(false)

    init(of group: CompletionGroup) {
      self.group = group
    }

    deinit {
      if !hasLeft.withLock({ $0 }) { group.leave() }
    }

    /// Leaves the group; false, and counted, when this entry has left before.
    @discardableResult public func leave() -> Bool {
      let isFirst = hasLeft.withLock { hasLeft in
        defer { hasLeft = true }
        return !hasLeft
      }
      isFirst ? group.leave() : group.countUnbalanced()
      return isFirst
    }
  }
}
