public import IngestCore
import IngestFiles

/// Makes `DIR/bag` from a finished output: a BagIt 1.0 bag (RFC 8493) of the originals, with SHA-256.
///
/// Built aside and exchanged whole: whatever happens the old bag stays until the new one is complete and durable. Each
/// file is held against the manifest's checksum. It comes from `DIR/originals` or from the bag that stands, as a second
/// name of the same file, or from its source as a copy. A bag that is current is left alone, its date too;
/// `run` reads its whole payload before it says so.
public struct BagExport: Sendable {
  /// The output folder, as exact bytes.
  public var directory: [UInt8]
  /// Where the sources are; the folder of the last run when nil.
  public var source: [UInt8]?
  /// Who makes the bag; begins with `photo-ingest`.
  public var software = "photo-ingest"

  /// What came of it.
  public struct Result: Sendable, Hashable {
    /// Whether the bag that stood was current and nothing was written.
    public var wasCurrent: Bool
    public var files: Int
    public var bytes: UInt64
    /// Rows without a checksum, which no bag can hold.
    public var leftOut: Int
  }

  public init(directory: [UInt8]) {
    self.directory = directory
  }

  /// Does the whole job while it has the output's lock; an error at once while a run has it.
  ///
  /// Blocks the calling thread; `control` ends it from another one, and the old bag stays.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl) throws(RunError) -> Result {
    let manifest = FinishedManifest(directory: directory)
    // Before the lock, which makes a folder of its own where there is no output.
    try manifest.open()
    let lock = OutputLock(directory)
    defer { lock.finish() }
    guard try writing({ () throws(FileError) in try lock.obtain() }) else {
      throw .locked(output: directory, by: lock.holder(), waited: nil)
    }
    return try make(manifest, readingPayload: true, control: control)
  }

  /// The same for a run, which has the lock. Without `readingPayload` a bag whose payload has the right sizes is current.
  func runInside(readingPayload: Bool, control: CollectionControl) throws(RunError) -> Result {
    try make(FinishedManifest(directory: directory), readingPayload: readingPayload, control: control)
  }

  private func make(
    _ manifest: FinishedManifest, readingPayload: Bool, control: CollectionControl
  ) throws(RunError) -> Result {
    let reading = try opened(directory)
    let plan = try BagPlan(manifest)
    let standing = try Self.standing(below: reading)
    var result = Result(wasCurrent: true, files: plan.files, bytes: plan.bytes, leftOut: plan.leftOut)
    if let standing {
      let strangers = try writing { () throws(FileError) in try standing.strangers() }
      if let unread = strangers.unread.first {
        throw .bagUnusable(path: unread.path(below: StandingBag.name), reason: unread.reason)
      }
      if let stranger = strangers.files.first {
        throw .bagUnusable(
          path: stranger,
          reason: "lies in the bag and is in none of its manifests; take it away, or the new bag loses it")
      }
      var isCurrent = try standing.isCurrent(plan)
      if isCurrent, readingPayload { isCurrent = try standing.isSound(plan, control: control) }
      if isCurrent { return result }
    }
    result.wasCurrent = false
    if control.isCancelled { throw .cancelled }
    let output = try writing { () throws(FileError) in try OutputFolder.create(directory) }
    let bag = try writing { () throws(FileError) in try output.beginFolder(for: StandingBag.name) }
    do throws(RunError) {
      let (sources, fault) = try sources()
      let writer = BagWriter(bag: bag, output: reading, standing: standing, sources: sources, sourceFault: fault)
      try writer.write(plan, date: date(standing, plan), software: software, control: control)
      try writing { () throws(FileError) in
        try bag.syncFolders()
        try output.exchange(StandingBag.name)
      }
    } catch {
      output.abandonFolder()
      throw error
    }
    return result
  }

  /// Whether a bag of ours stands in an output.
  static func isStanding(below directory: [UInt8]) -> Bool {
    guard let output = try? SourceFolder.open(directory) else { return false }
    return (try? StandingBag(below: output))?.isOurs == true
  }

  /// The bag that stands in an output; an error when something else has its name.
  static func standing(below output: SourceFolder) throws(RunError) -> StandingBag? {
    do {
      guard let bag = try StandingBag(below: output) else { return nil }
      guard bag.isOurs else {
        throw RunError.bagUnusable(
          path: RelativePath(StandingBag.name), reason: "is there and is no bag that photo-ingest made; move it away")
      }
      return bag
    } catch let error as RunError {
      throw error
    } catch {
      let reason = (error as? FileError)?.reason ?? "cannot be opened"
      throw .bagUnusable(path: RelativePath(StandingBag.name), reason: reason)
    }
  }

  /// The day goes on while the payload is the same.
  private func date(_ standing: StandingBag?, _ plan: BagPlan) -> String {
    if let standing, standing.checksum(of: BagText.manifestName) == plan.manifestChecksum,
      let date = standing.baggingDate
    {
      return date
    }
    return WallClock.day
  }

  /// The folder of the sources; nil where it is not known, and where the one of the last run cannot be opened, for this
  /// reason. A file that is in no other place is then missing.
  private func sources() throws(RunError) -> (SourceFolder?, fault: FileError?) {
    if let source {
      do { return (try SourceFolder.open(source), nil) } catch { throw .sourceUnusable(error) }
    }
    guard let remembered = RememberedSource.read(below: directory) else { return (nil, nil) }
    do { return (try SourceFolder.open(remembered.path), nil) } catch { return (nil, error) }
  }

  private func opened(_ path: [UInt8]) throws(RunError) -> SourceFolder {
    do { return try SourceFolder.open(path) } catch { throw .outputUnusable(error) }
  }
}
