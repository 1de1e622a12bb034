internal import Dispatch
internal import Glibc
public import IngestCore

/// Keeps runs apart that write into one output folder, also those of other processes.
///
/// The contract of `ResourceLock`, with this object as the holder: `obtain` answers at once, `wait` blocks, `finish` gives
/// back from any thread. Safe from every thread. It is the kernel's lock (flock) on `DIR/.photo-ingest/lock`, so it is
/// free at once when its holder dies, however that was; no child inherits it. `finish` is called when the object goes.
public final class OutputLock: Sendable {
  /// What the holder does with the folder.
  public enum Use: Sendable {
    /// Nobody else may have it. Makes the folder and its `.photo-ingest/` where they are missing.
    case writing
    /// Others may read as well, nobody may write. Makes nothing, and succeeds where no run has ever left a lock.
    case reading
  }

  /// How a wait has ended.
  public enum WaitEnd: Sendable, Hashable { case obtained, alreadyHeld, timedOut, cancelled }

  /// The output folder, as it was given.
  public let path: [UInt8]
  public let use: Use
  private let file: LockFile
  private let state = Guarded(State.free)

  private enum State {
    case free
    case held(LockFile.Held)
  }

  /// How often a waiting process looks: soon at first, then seldom enough to cost nothing. The kernel could wake it, but
  /// then no signal and no time limit could.
  private static let pauses: [Duration] = [.milliseconds(5), .milliseconds(10), .milliseconds(20), .milliseconds(50)]

  public convenience init(_ path: [UInt8], for use: Use = .writing) {
    self.init(path, for: use, flock: { flock($0, $1) })
  }

  init(_ path: [UInt8], for use: Use, flock: @escaping @Sendable (Int32, Int32) -> Int32) {
    self.path = path
    self.use = use
    file = LockFile(output: path, flock: flock)
  }

  deinit {
    finish()
  }

  /// Takes the folder if nobody else has it, and answers at once. Also false when this object has it already.
  ///
  /// An error when the folder or its lock file cannot be made or opened, or the file system has no locks.
  public func obtain() throws(FileError) -> Bool {
    try attempt() == .obtained
  }

  /// Blocks until the folder is free and takes it: true. False at once when this object has it already.
  @available(*, noasync, message: "wait blocks its thread; call it from a thread of your own")
  @discardableResult
  public func wait() throws(FileError) -> Bool {
    try wait(atMost: nil, control: CollectionControl()) == .obtained
  }

  /// Blocks until the folder is free and takes it, but no longer than `limit`; `control` ends the wait from another
  /// thread at once.
  @available(*, noasync, message: "wait blocks its thread; call it from a thread of your own")
  public func wait(atMost limit: Duration?, control: CollectionControl) throws(FileError) -> WaitEnd {
    let deadline = limit.map { ContinuousClock.now + $0 }
    let wake = DispatchSemaphore(value: 0)
    let key = control.whenCancelled { wake.signal() }
    defer { control.forget(key) }
    var tries = 0
    while !control.isCancelled {
      if let end = try attempt() { return end }
      let pause = Self.pauses[min(tries, Self.pauses.count - 1)]
      tries += 1
      let left = deadline.map { $0 - ContinuousClock.now } ?? pause
      guard left > .zero else { return .timedOut }
      _ = wake.wait(timeout: DispatchTime.now().after(min(pause, left)))
    }
    return .cancelled
  }

  /// Gives the folder back. Does nothing when this object does not have it.
  public func finish() {
    let held = state.withLock { state -> LockFile.Held? in
      guard case .held(let held) = state else { return nil }
      state = .free
      return held
    }
    guard let held else { return }
    // The name goes first, or the next one would be taken for this one. With the last descriptor goes the lock.
    if use == .writing, let file = held.file { _ = ftruncate(file.number, 0) }
    withExtendedLifetime(held) {}
  }

  /// The process that has the folder, as it says itself; nil when it says nothing.
  ///
  /// Whoever has just taken the lock needs a moment to write its name, and one that was killed has left its own: so a name
  /// that is missing or belongs to nobody is looked for again, for a quarter of a second.
  @available(*, noasync, message: "holder may block its thread for a moment")
  public func holder() -> LockHolder? {
    for _ in 0..<25 {
      if let holder = LockHolder(note: file.note()), !holder.isGone { return holder }
      usleep(10_000)
    }
    return nil
  }

  /// Nil when somebody else has it.
  private func attempt() throws(FileError) -> WaitEnd? {
    if isHeld { return .alreadyHeld }
    // On a slow disk this takes its time, which nobody else is to wait for: two threads that come here at once are kept
    // apart by the kernel, as two processes are.
    switch use == .writing ? try file.takeAlone() : try file.takeShared() {
    case .busy: return isHeld ? .alreadyHeld : nil
    case .taken(let held):
      if use == .writing, let file = held.file { OutputLock.sign(file) }
      // Those who only read can both have it; then one lock goes with its descriptor.
      return state.withLock { state in
        if case .held = state { return .alreadyHeld }
        state = .held(held)
        return .obtained
      }
    }
  }

  private var isHeld: Bool {
    state.withLock { if case .held = $0 { true } else { false } }
  }

  /// Writes down who has the lock. A note that does not fit on a full disk is only missing in somebody's message.
  private static func sign(_ file: Descriptor) {
    guard ftruncate(file.number, 0) == 0 else { return }
    try? file.write(LockHolder.here.note[...])
  }
}
