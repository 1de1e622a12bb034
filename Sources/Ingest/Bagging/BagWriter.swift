import IngestCore
import IngestFiles

/// Fills the folder of a new bag. Belongs to one thread.
struct BagWriter {
  private let bag: OutputFolder
  private let originals: SourceFolder?
  private let standing: StandingBag?
  private let sources: SourceFolder?
  private let sourceFault: FileError?

  /// - Parameters:
  ///   - output: the output folder, for its originals
  ///   - standing: the bag that is to be replaced; files that it has in common with the new one are taken from it
  ///   - sources: where files come from that are in no other place
  ///   - sourceFault: why there are no sources, if somebody knows
  init(
    bag: OutputFolder, output: SourceFolder, standing: StandingBag?, sources: SourceFolder?, sourceFault: FileError?
  ) {
    self.bag = bag
    // Something else of that name holds no originals of ours.
    originals = try? output.subfolder(RelativePath.originalsFolder)
    self.standing = standing
    self.sources = sources
    self.sourceFault = sourceFault
  }

  /// Writes everything but the names' durability.
  func write(_ plan: BagPlan, date: String, software: String, control: CollectionControl) throws(RunError) {
    let manifest = try writing { () throws(FileError) in try bag.beginFile(BagText.manifestName) }
    let names =
      try plan.namesChecksum == nil
      ? nil : writing { () throws(FileError) in try bag.beginFile(BagText.namesName) }
    defer {
      manifest.abandon()
      names?.abandon()
    }
    var bytes: UInt64 = 0
    var files = 0
    try writing { () throws(FileError) in _ = try bag.beneath(Array("data".utf8)) }
    try plan.showEntries { entry throws(RunError) in
      if control.isCancelled { throw .cancelled }
      bytes = bytes.addingReportingOverflow(try put(entry)).partialValue
      files += 1
      try writing { () throws(FileError) in
        try manifest.append(BagText.line(sha256: entry.sha256, path: entry.place))
        if entry.isRenamed {
          try names?.append(BagText.originalName(bagPath: entry.place, path: entry.source))
        }
      }
      return true
    }
    try writeTagFiles(
      [
        (BagText.infoName, BagText.info(date: date, software: software, bytes: bytes, files: files)),
        (BagText.declarationName, BagText.declaration),
      ], [manifest, names].compactMap { $0 })
  }

  /// The tag files, then the manifest of them all.
  private func writeTagFiles(_ texts: [(name: String, bytes: [UInt8])], _ begun: [PendingFile]) throws(RunError) {
    var checksums = texts.map { ($0.name, SHA256Digest.hex(of: $0.bytes)) }
    checksums += begun.map { (String(decoding: $0.path, as: UTF8.self), $0.checksum) }
    let lines = checksums.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.flatMap {
      BagText.line(sha256: $0.1, path: RelativePath($0.0))
    }
    try writing { () throws(FileError) in
      for file in begun { try file.commit() }
      for text in texts { try bag.write(text.bytes, to: text.name) }
      try bag.write(lines, to: BagText.tagManifestName)
    }
  }

  /// Brings one file of the payload to its place, and returns its size.
  private func put(_ entry: BagPlan.Entry) throws(RunError) -> UInt64 {
    let homes: [(folder: SourceFolder?, path: RelativePath)] = [
      (originals, entry.source), (standing?.folder, entry.place),
    ]
    for (folder, path) in homes {
      guard let folder, let file = try? folder.open(path), entry.bytes ?? file.identity.size == file.identity.size
      else { continue }
      do {
        if try bag.keepSecondName(of: file, in: folder, at: entry.place.bytes, sha256: entry.sha256) {
          return file.identity.size
        }
      } catch {
        throw .outputUnusable(error)
      }
      if let size = try copied(file, entry) { return size }
    }
    guard let sources else {
      let fault = sourceFault.map { " \($0.description)" } ?? " is not known"
      throw .bagUnusable(
        path: entry.source, reason: "is not under originals/, and the source folder\(fault) (--source FOLDER)")
    }
    let file: SourceFile
    do { file = try sources.open(entry.source) } catch { throw .bagUnusable(path: entry.source, reason: error.reason) }
    if let size = try copied(file, entry) { return size }
    throw .bagUnusable(
      path: entry.source, reason: "does not hold any more what the manifest says; run photo-ingest again")
  }

  /// Copies a file and reads it back; nil when it does not hold what it should.
  private func copied(_ file: SourceFile, _ entry: BagPlan.Entry) throws(RunError) -> UInt64? {
    do {
      try bag.keepCopy(of: file, at: entry.place.bytes, sha256: entry.sha256)
      return file.identity.size
    } catch {
      switch error {
      case .source: return nil
      case .output(let error): throw .outputUnusable(error)
      }
    }
  }
}
