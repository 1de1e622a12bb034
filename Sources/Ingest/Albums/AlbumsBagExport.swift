public import IngestCore
import IngestFiles

/// Makes a bag of every album of an output folder, each in its own place: `DIR/<album>/bag`.
public struct AlbumsBagExport: Sendable {
  /// How each bag is made; its `directory` is the folder that holds the albums, its `source` is not looked at.
  public let common: BagExport
  public let list: AlbumList

  public init(_ list: AlbumList, common: BagExport) {
    self.list = list
    self.common = common
  }

  /// Does the whole job while it has the lock of the folder that holds the albums. A bag that cannot be made keeps nobody
  /// else from having one. Blocks the calling thread.
  ///
  /// Throws when a run has the folder, and when it is stopped.
  @available(*, noasync, message: "run blocks its thread; call it from a thread of your own")
  public func run(
    control: CollectionControl
  ) throws(RunError) -> [(name: RelativePath, outcome: Result<BagExport.Result, RunError>)] {
    let lock = OutputLock(common.directory)
    defer { lock.finish() }
    guard try writing({ () throws(FileError) in try lock.obtain() }) else {
      throw .locked(output: common.directory, by: lock.holder(), waited: nil)
    }
    var results: [(RelativePath, Result<BagExport.Result, RunError>)] = []
    for name in list.names {
      var export = common
      export.directory += [UInt8(ascii: "/")] + name.bytes
      export.source = nil
      let outcome = Result { () throws(RunError) in try export.run(control: control) }
      if control.isCancelled { throw .cancelled }
      results.append((name, outcome))
    }
    return results
  }
}
