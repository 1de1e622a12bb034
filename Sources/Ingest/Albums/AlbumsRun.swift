import Dispatch
import HostProcess
public import IngestCore
import IngestFiles

/// Runs the main job over several source folders: each an album with its own manifest, catalogue, errors and ending, a few at
/// a time, all on the same loader threads.
///
/// Whatever ends one album touches no other one.
public struct AlbumsRun: Sendable {
  /// Hears what happens, on whatever thread it happens; several albums speak at once.
  public typealias Report = @Sendable (AlbumsEvent) -> Void

  public let configuration: AlbumsConfiguration
  /// How long after a stop albums in work are waited for before the next step; they are joined in any case.
  var grace: Duration = .seconds(3)

  public init(_ configuration: AlbumsConfiguration) {
    self.configuration = configuration
  }

  /// Does the whole job and returns when every album has ended and `albums.json` is in its place.
  ///
  /// Blocks the calling thread. `control` ends it from another one: albums that are not complete keep their old manifests,
  /// and `albums.json` stays as it was. Throws when nothing could be begun; what becomes of an album is in its result.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> AlbumsSummary {
    let started = ContinuousClock.now
    let directory = configuration.directory
    _ = try AlbumPlan(configuration.folders, below: directory)
    try checkOutput()
    let lock = OutputLock(directory)
    defer { lock.finish() }
    let tell: IngestRun.Report = { report(.run($0, of: nil)) }
    // Whoever has waited may find other albums, or none.
    if try lock.take(configuration.common.lockPatience, control: control, report: tell) { try checkOutput() }
    let albums = try AlbumPlan(configuration.folders, below: directory).albums
    let output = try writing { () throws(FileError) in
      let output = try OutputFolder.create(directory)
      output.sweepLeftovers()
      try AlbumsMark.set(in: output)
      try output.syncFolders()
      return output
    }
    let results = run(albums, control: control, report: report)
    // A stop that came too late to end anything changes nothing.
    if control.isCancelled, !results.allSatisfy(\.isComplete) {
      return AlbumsSummary(results: results, elapsed: ContinuousClock.now - started)
    }
    var fault: RunError?
    do throws(RunError) {
      try writing { () throws(FileError) in
        try output.write(AlbumList.encode(results), to: AlbumList.fileName)
        try output.syncFolders()
      }
    } catch {
      fault = error
    }
    return AlbumsSummary(results: results, elapsed: ContinuousClock.now - started, fault: fault)
  }

  /// Lists the candidates of each album in order, one album after the other. Reads no photo and writes nothing at all.
  ///
  /// Throws when nothing could be listed; an album that could not be is in its result.
  @available(*, noasync, message: "listCandidates blocks its thread; call it from a thread of your own")
  public func listCandidates(
    control: CollectionControl, report: @escaping Report, candidate: (Album, RelativePath) -> Void
  ) throws(RunError) -> [AlbumListing] {
    var listings: [AlbumListing] = []
    for album in try AlbumPlan(configuration.folders, below: configuration.directory).albums {
      let outcome = Result { () throws(RunError) in
        try IngestRun(configuration.configuration(of: album)).listCandidates(
          control: control, report: { report(.run($0, of: album)) }, candidate: { candidate(album, $0) })
      }
      if case .failure(.cancelled) = outcome { throw .cancelled }
      listings.append(AlbumListing(album: album, outcome: outcome))
    }
    return listings
  }

  // MARK: Steps

  private func checkOutput() throws(RunError) {
    let directory = configuration.directory
    guard let folder = try? SourceFolder.open(directory) else { return }
    if folder.holds(RelativePath("manifest.jsonl")) {
      throw refused("holds the results of a single folder; several folders need an output folder of their own")
    }
    // A list that is not ours is somebody's file.
    do { _ = try AlbumList.read(below: directory) } catch {
      throw refused("holds a file \(AlbumList.fileName) that no run has written; choose another folder")
    }
  }

  private func refused(_ reason: String) -> RunError {
    .outputUnusable(FileError(path: configuration.directory, operation: reason, errno: 0))
  }

  private func run(_ albums: [Album], control: CollectionControl, report: @escaping Report) -> [AlbumResult] {
    let atOnce = max(1, min(configuration.atOnce, albums.count))
    let shared = SharedLoading(configuration.common, sharers: atOnce) { report(.run(.message(.warning, $0), of: nil)) }
    // An album tidies up by itself when it is stopped, in its own time; the threads are joined below in any case.
    var group = RequestGroup<RunError>(limits: RequestLimits(atOnce: atOnce, grace: grace))
    let threads = AlbumThreads()
    let results = Guarded([AlbumResult?](repeating: nil, count: albums.count))
    // An album that was begun says itself how it ended, however long after a stop: its manifest may be new by then.
    let begun = Guarded<Set<Int>>([])
    let end: @Sendable (Int, Result<RunSummary, RunError>) -> Void = { place, outcome in
      let result = AlbumResult(albums[place], outcome)
      results.withLock { $0[place] = result }
      report(.ended(result))
    }
    for (place, album) in albums.enumerated() {
      let work = configuration.configuration(of: album)
      group.add(
        { (done: @escaping RequestCompletion<RunSummary, RunError>) in
          begun.withLock { _ = $0.insert(place) }
          threads.start(place) {
            let outcome = Result { () throws(RunError) in
              try IngestRun(work, shared: shared).run(control: control) { report(.run($0, of: album)) }
            }
            end(place, outcome)
            done(outcome.mapError(RequestFailure.reported))
          }
          return nil
        },
        handler: { outcome in
          if !begun.withLock({ $0.contains(place) }) { end(place, outcome.mapError(\.runError)) }
        })
    }
    let allLeft = DispatchSemaphore(value: 0)
    group.start(control: control, notify: DispatchQueue(label: "photo-ingest.albums")) { _ in allLeft.signal() }
    allLeft.wait()
    threads.joinAll()
    shared.shutDown()
    return results.withLock { $0 }.compactMap { $0 }
  }
}

/// Holds what a dry run has to say of one album.
public struct AlbumListing: Sendable {
  public let album: Album
  public let outcome: Result<CandidateSummary, RunError>

  public init(album: Album, outcome: Result<CandidateSummary, RunError>) {
    self.album = album
    self.outcome = outcome
  }
}

extension RequestFailure<RunError> {
  /// The same as the end of a run. An album has no time limit, and its thread always answers.
  fileprivate var runError: RunError {
    switch self {
    case .reported(let error): error
    case .cancelled, .timedOut, .unanswered: .cancelled
    }
  }
}
