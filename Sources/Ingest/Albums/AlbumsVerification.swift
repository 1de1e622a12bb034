public import IngestCore
import IngestFiles

/// Holds every album of an output folder against its own manifest, one after the other, as `albums.json` lists them.
///
/// Writes nothing. What is found in one album, or that it cannot be looked at, ends nothing for the next.
public struct AlbumsVerification: Sendable {
  /// Hears what is found in the album of a name, on the thread of `run`.
  public typealias Report = @Sendable (VerifyEvent, RelativePath) -> Void

  /// How each album is looked at; its `directory` is the folder that holds the albums, its `source` is not looked at.
  public let common: OutputVerification
  public let list: AlbumList

  public init(_ list: AlbumList, common: OutputVerification) {
    self.list = list
    self.common = common
  }

  /// Does the whole job; no run over these albums begins meanwhile. Blocks the calling thread.
  ///
  /// Throws when a run has the folder, and when it is stopped.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(control: CollectionControl, report: @escaping Report) throws(RunError) -> [AlbumCheck] {
    let lock = OutputLock(common.directory, for: .reading)
    defer { lock.finish() }
    // Who may not make a lock, as on a medium that is read-only, may look all the same: no run can write there either.
    if (try? lock.obtain()) == false { throw .locked(output: common.directory, by: lock.holder(), waited: nil) }
    var checks: [AlbumCheck] = []
    for name in list.names {
      var verification = common
      verification.directory += [UInt8(ascii: "/")] + name.bytes
      verification.source = nil
      let outcome = Result { () throws(RunError) in try verification.run(control: control) { report($0, name) } }
      if control.isCancelled { throw .cancelled }
      checks.append(AlbumCheck(name: name, outcome: outcome))
    }
    return checks
  }
}

/// Says what came of the verification of one album.
public struct AlbumCheck: Sendable {
  public let name: RelativePath
  public let outcome: Result<VerifySummary, RunError>

  public init(name: RelativePath, outcome: Result<VerifySummary, RunError>) {
    self.name = name
    self.outcome = outcome
  }
}
