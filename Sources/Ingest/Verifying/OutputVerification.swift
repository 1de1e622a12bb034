public import IngestCore
import IngestFiles

/// Holds a finished output, and the sources where they can be reached, against its manifest.
///
/// Writes nothing. Every file is opened below a folder that was opened once, never through a link.
public struct OutputVerification: Sendable {
  public typealias Report = @Sendable (VerifyEvent) -> Void

  /// The output folder, as exact bytes.
  public var directory: [UInt8]
  /// Where the sources are; the folder of the last run when nil.
  public var source: [UInt8]?
  /// Whether sizes alone are compared.
  public var isFast = false
  /// Threads that read, 1 through 64.
  public var jobs = 1

  public init(directory: [UInt8]) {
    self.directory = directory
  }

  /// Does the whole job.
  ///
  /// Blocks the calling thread; `control` ends it from another one. A manifest that contradicts itself is a finding, one
  /// that is not there or cannot be read an error. So is a run that has the output; no run begins meanwhile.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> VerifySummary {
    let started = ContinuousClock.now
    let manifest = FinishedManifest(directory: directory)
    try manifest.open()
    let output: SourceFolder
    do { output = try SourceFolder.open(directory) } catch { throw .outputUnusable(error) }
    // A run that writes meanwhile would make findings of its own work. Where there is no lock to be had, nobody writes.
    let lock = OutputLock(directory, for: .reading)
    defer { lock.finish() }
    if (try? lock.obtain()) == false { throw .locked(output: directory, by: lock.holder(), waited: nil) }
    let sources = try openSources(report)

    var tally = VerifyTally(control: control, report: report)
    if (try? output.linkTarget(of: RelativePath("manifest.jsonl"))) != nil {
      tally.tell(VerifyFinding(.changed, .manifest, RelativePath("manifest.jsonl"), "is a symbolic link"))
    }
    let plan: VerifyPlan
    do throws(RunError) {
      plan = try VerifyPlan(manifest, hasSources: sources != nil)
    } catch .manifestUnusable(_, let reason) {
      tally.tell(VerifyFinding(.damaged, .manifest, RelativePath("manifest.jsonl"), reason))
      report(.message(.warning, "the rest is not looked at: there is nothing to hold it against"))
      return tally.finish(started)
    }
    let crew = CheckCrew(threads: jobs, isFast: isFast, control: control)
    defer { crew.shutDown() }
    var pass = VerifyPass(output: output, source: sources, crew: crew, plan: plan, tally: tally)
    try pass.run(manifest)
    if control.isCancelled { throw .cancelled }
    tally = pass.tally
    tally.summary.source = sources?.path
    return tally.finish(started)
  }

  /// The folder of the sources; nil, with a word, when it cannot be found.
  private func openSources(_ report: Report) throws(RunError) -> SourceFolder? {
    if let source {
      do { return try SourceFolder.open(source) } catch { throw .sourceUnusable(error) }
    }
    guard let remembered = RememberedSource.read(below: directory) else {
      report(.message(.warning, "no source folder is remembered; the outputs alone are looked at (--source FOLDER)"))
      return nil
    }
    do {
      return try SourceFolder.open(remembered.path)
    } catch {
      report(.message(.warning, "the sources are not looked at: \(error.description)"))
      return nil
    }
  }
}
