import Dispatch
import HostProcess
public import IngestCore
import IngestFiles
import Publishing

/// Publishes a finished output: a token, the files in parallel, then one post with the list in the manifest's order.
///
/// Each step starts when the one before has completed. What is at its place is remembered as it happens; the next run
/// goes on from there and sends nothing twice.
public struct PublishRun: Sendable {
  public typealias Report = @Sendable (PublishEvent) -> Void

  /// The output folder, as exact bytes.
  public var directory: [UInt8]
  public var configuration: PublishConfiguration
  /// Where the sources are; the folder of the last run when nil.
  public var source: [UInt8]?
  /// Tells what would be done; asks nobody and writes nothing.
  public var isDryRun = false
  /// Asks about everything, whatever is remembered, and posts again.
  public var isFull = false

  public init(directory: [UInt8], configuration: PublishConfiguration) {
    self.directory = directory
    self.configuration = configuration
  }

  /// Does the whole job.
  ///
  /// Blocks the calling thread; `control` ends it from another one. What could not be published is no error but stands in
  /// the summary. An output of several albums is published album by album, each with a list of its own.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> PublishSummary {
    let started = ContinuousClock.now
    // Before the locks, which make folders: where there is no output, nothing is left behind.
    for folder in try PublishFolder.all(of: directory) { try FinishedManifest(directory: folder.path).open() }
    var locks = [try obtained(directory)]
    defer { for lock in locks.reversed() { lock.finish() } }
    // Whoever had the output until now may have changed it.
    let folders = try PublishFolder.all(of: directory)
    for folder in folders {
      try FinishedManifest(directory: folder.path).open()
      // Each album can be published by itself, too.
      if folder.album != nil { locks.append(try obtained(folder.path)) }
    }

    let tools = try PublishTools(configuration)
    var summary = PublishSummary()
    summary.isDryRun = isDryRun
    var isWhole = true
    for folder in folders {
      if control.isCancelled {
        isWhole = false
        break
      }
      if let album = folder.album { report(.album(album)) }
      let pass = try PublishPass(self, folder.path, tools, report)
      try pass.run(control, &summary)
    }
    summary.wasCancelled = !isWhole || (control.isCancelled && !summary.isComplete)
    summary.elapsed = ContinuousClock.now - started
    return summary
  }

  /// The lock of a folder with a manifest, held.
  @available(*, noasync, message: "it may block its thread for a moment, to learn who has the lock")
  private func obtained(_ folder: [UInt8]) throws(RunError) -> OutputLock {
    let lock = OutputLock(folder, for: isDryRun ? .reading : .writing)
    let isFree: Bool
    do { isFree = try lock.obtain() } catch { throw .outputUnusable(error) }
    guard isFree else { throw .locked(output: folder, by: lock.holder(), waited: nil) }
    return lock
  }
}
