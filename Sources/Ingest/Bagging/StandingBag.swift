import IngestCore
import IngestFiles

/// Looks at the bag that stands in an output folder. Reads only.
struct StandingBag {
  static let name = Array("bag".utf8)
  /// What `Bag-Software-Agent` of our bags begins with.
  private static let maker = "photo-ingest"
  private static let longestTagFile = 64 << 10

  let folder: SourceFolder

  /// Nil where there is no bag; an error where a link or a file has its name.
  init?(below output: SourceFolder) throws(FileError) {
    guard let folder = try output.subfolder(Self.name) else { return nil }
    self.folder = folder
  }

  /// The small tag file of this name; nil when it cannot be read.
  func tagFile(_ name: String) -> [UInt8]? {
    guard let file = try? folder.open(RelativePath(name)), file.identity.size <= UInt64(Self.longestTagFile) else {
      return nil
    }
    var bytes: [UInt8] = []
    while true {
      let piece = file.nextPiece()
      if piece.isEmpty { return file.error == nil ? bytes : nil }
      bytes += piece
    }
  }

  /// Whether this program has made it. A stranger's folder of that name is never replaced.
  var isOurs: Bool {
    guard tagFile(BagText.declarationName) != nil, let info = tagFile(BagText.infoName) else { return false }
    return BagText.value(of: "Bag-Software-Agent", in: info)?.hasPrefix(Self.maker) == true
  }

  var baggingDate: String? {
    tagFile(BagText.infoName).flatMap { BagText.value(of: "Bagging-Date", in: $0) }
  }

  /// Hands every entry of one of the bag's manifests to `body`; throws where the file is not there or has a bad line.
  func forEachEntry(of name: String, _ body: (_ sha256: String, _ path: RelativePath) -> Void) throws(FileError) {
    let path = RelativePath(name)
    let file = try folder.open(path)
    var pending: [UInt8] = []
    func take(_ line: ArraySlice<UInt8>) throws(FileError) {
      guard let entry = BagText.entry(line), entry.path.isContained, !entry.path.isAddress else {
        throw FileError(path: path.bytes, operation: "holds a line that is no checksum with a path", errno: 0)
      }
      body(entry.sha256, entry.path)
    }
    while true {
      let piece = file.nextPiece()
      if let error = file.error { throw error }
      if piece.isEmpty { break }
      pending += piece
      var start = 0
      while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try take(pending[start..<end])
        start = end + 1
      }
      pending.removeFirst(start)
      guard pending.count <= Self.longestTagFile else {
        throw FileError(path: path.bytes, operation: "holds a line that is no checksum with a path", errno: 0)
      }
    }
    if !pending.isEmpty { try take(pending[...]) }
  }

  /// Files that the bag's own manifests do not list, in no particular order, and the folders that could not be read; an
  /// error where one of the manifests cannot be.
  func strangers(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(FileError) -> (files: [RelativePath], unread: [UnreadFolder]) {
    var listed = PathSet()
    listed.insert(Array(BagText.tagManifestName.utf8))
    for name in [BagText.manifestName, BagText.tagManifestName] {
      try forEachEntry(of: name) { _, path in listed.insert(path.bytes) }
    }
    let known = listed
    let found = Guarded<[RelativePath]>([])
    let unread = folder.listFiles(isCancelled: isCancelled) { path in
      if !known.contains(path.bytes) { found.withLock { $0.append(path) } }
    }
    return (found.withLock { $0 }, unread)
  }

  /// Whether it is the bag of this plan, as far as checksums of its text files and sizes of its payload tell.
  func isCurrent(_ plan: BagPlan) throws(RunError) -> Bool {
    guard tagFile(BagText.declarationName) == BagText.declaration,
      checksum(of: BagText.manifestName) == plan.manifestChecksum,
      checksum(of: BagText.namesName) == plan.namesChecksum, areTagFilesGood
    else { return false }
    var isCurrent = true
    try plan.showEntries { entry throws(RunError) in
      let size = folder.size(of: entry.place)
      isCurrent = size != nil && (entry.bytes == nil || size == entry.bytes)
      return isCurrent
    }
    return isCurrent
  }

  /// Whether every file of its payload holds what the plan says. Reads them all.
  func isSound(_ plan: BagPlan, control: CollectionControl) throws(RunError) -> Bool {
    var isSound = true
    try plan.showEntries { entry throws(RunError) in
      let sha256 = (try? folder.open(entry.place)).flatMap {
        try? $0.wholeChecksum(isCancelled: { control.isCancelled })
      }
      if control.isCancelled { throw .cancelled }
      isSound = sha256 == entry.sha256
      return isSound
    }
    return isSound
  }

  private var areTagFilesGood: Bool {
    var areGood = true
    var count = 0
    do {
      try forEachEntry(of: BagText.tagManifestName) { sha256, path in
        count += 1
        areGood = areGood && checksum(of: path.display) == sha256
      }
    } catch {
      return false
    }
    return areGood && count >= 3
  }

  func checksum(of name: String) -> String? {
    (try? folder.open(RelativePath(name))).flatMap { try? $0.wholeChecksum() }
  }
}
