import IngestCore
import IngestFiles

/// Goes over the rows once more and looks at every file they list, then at what no row lists.
struct VerifyPass {
  /// Enough for the threads to be busy while the slowest file of a batch is read.
  static let batchSize = 512

  let output: SourceFolder
  let source: SourceFolder?
  let crew: CheckCrew
  let plan: VerifyPlan
  var tally: VerifyTally
  private var finished = 0
  private var batch: [FileCheck] = []
  private var total: Int

  init(output: SourceFolder, source: SourceFolder?, crew: CheckCrew, plan: VerifyPlan, tally: VerifyTally) {
    self.output = output
    self.source = source
    self.crew = crew
    self.plan = plan
    self.tally = tally
    total = plan.files
  }

  private var isCancelled: Bool { tally.control.isCancelled }

  mutating func run(_ manifest: FinishedManifest) throws(RunError) {
    tally.report(.began(files: total))
    let expected = RememberedSelection.read(below: output.path)?.manifests ?? []
    var derived = [ManifestFormat.json, .csv, .sha256]
      .filter { output.holds(RelativePath($0.fileName)) || expected.contains($0) }
      .compactMap { DerivedManifest($0, orderNamed: plan.summary.order, sizes: plan.sizes) }
    let linkBase = source.map { $0.absolutePath + [UInt8(ascii: "/")] }
    tally.summary.checked[.manifest, default: 0] += 1
    if let line = plan.summary.irregularLine {
      tally.tell(
        VerifyFinding(
          .damaged, .manifest, RelativePath("manifest.jsonl"),
          "line \(line) is not written as manifests are: sorted keys, no blanks, LF at its end"))
    }
    var sequence = RowSequence(orderNamed: plan.summary.order)
    // The first pass has found the manifest whole; one that is replaced meanwhile is read to its own end.
    _ = try manifest.read { row throws(RunError) in
      for place in derived.indices { derived[place].add(row) }
      if !sequence.accepts(row) { tellOutOfPlace(row) }
      add(row, linkBase)
      if batch.count >= Self.batchSize { flush() }
      return !isCancelled
    }
    for place in derived.indices {
      let file = derived[place].finish(totals: plan.summary.totals)
      batch.append(FileCheck(folder: output, file: file, part: .manifest, index: nil, authority: "manifest.jsonl"))
      total += 1
    }
    flush()
    if !isCancelled { lookForUnlisted() }
    if !isCancelled { lookAtBag(manifest, isExpected: expected.contains(.bagit)) }
    if !isCancelled, let source { lookForNewSources(source) }
  }

  private mutating func tellOutOfPlace(_ row: ManifestRow) {
    tally.tell(
      VerifyFinding(
        .damaged, .manifest, row.path, index: row.index,
        "stands behind a row that it comes before in the order \(plan.summary.order)"))
  }

  private mutating func add(_ row: ManifestRow, _ linkBase: [UInt8]?) {
    if let words = plan.repeated.contains(row.index) ? "has a row already" : row.contradiction {
      tally.tell(VerifyFinding(.damaged, .manifest, row.path, index: row.index, words))
    }
    if plan.thumbnailOwners.areForeign(in: row) {
      tally.tell(
        VerifyFinding(
          .damaged, .manifest, row.path, index: row.index,
          "lists thumbnails whose names do not belong to its path and content"))
    }
    for thumbnail in row.thumbnails {
      guard thumbnail.path.bytes.starts(with: "thumbnails/".utf8) else {
        tally.tell(
          VerifyFinding(.damaged, .manifest, row.path, index: row.index, "lists a thumbnail outside of thumbnails/"))
        continue
      }
      batch.append(FileCheck(folder: output, file: thumbnail, part: .thumbnail, index: row.index))
    }
    if let kind = row.original { addOriginals(of: row, kind, linkBase) }
    guard let source else { return }
    for (place, file) in row.content.enumerated() {
      batch.append(FileCheck(folder: source, file: file, part: place == 0 ? .source : .sideFile, index: row.index))
    }
  }

  private mutating func addOriginals(of row: ManifestRow, _ kind: AssetRow.OriginalKind, _ linkBase: [UInt8]?) {
    guard row.isOriginalItsOwn else {
      return tally.tell(
        VerifyFinding(.damaged, .manifest, row.path, index: row.index, "lists an original that is not its own"))
    }
    for file in row.content {
      let listed = ListedFile(path: file.path.original, bytes: file.bytes, sha256: file.sha256)
      var check = FileCheck(folder: output, file: listed, part: .original, index: row.index)
      if kind == .symlink { check.linkTarget = linkBase.map { $0 + file.path.bytes } ?? anyLink(to: file.path) }
      batch.append(check)
    }
  }

  /// Where no source is known a link is held against its own end: it must lead to this path in some folder.
  private func anyLink(to path: RelativePath) -> [UInt8]? {
    guard let target = try? output.linkTarget(of: path.original) else { return nil }
    let isRight =
      target.first == UInt8(ascii: "/") && target.suffix(path.bytes.count + 1) == [UInt8(ascii: "/")] + path.bytes
    // No link leads to an empty name.
    return isRight ? target : []
  }

  private mutating func flush() {
    let checks = batch
    batch = []
    run(checks)
  }

  /// Runs checks and tells what they found, in their order.
  mutating func run(_ checks: [FileCheck]) {
    guard !checks.isEmpty, !isCancelled else { return }
    for (check, answer) in zip(checks, crew.run(checks)) {
      tally.summary.checked[check.part, default: 0] += 1
      tally.summary.bytesRead += answer.bytesRead
      if let finding = answer.finding { tally.tell(finding) }
    }
    finished += checks.count
    tally.report(.progressed(finished: finished, of: max(total, finished)))
  }

  // MARK: What no row lists

  private mutating func lookForUnlisted() {
    let thumbnails = plan.thumbnails
    tellUnlisted(.thumbnail, Array("thumbnails".utf8)) { path in !thumbnails.contains(path.bytes) }
    let originals = plan.originals
    tellUnlisted(.original, RelativePath.originalsFolder) { path in
      !originals.contains(RelativePath(Array(path.bytes.dropFirst(RelativePath.originalsFolder.count + 1))))
    }
  }

  /// - Parameter isUnlisted: asked with the path below the output folder.
  private mutating func tellUnlisted(
    _ part: VerifyFinding.Part, _ name: [UInt8], _ isUnlisted: @escaping @Sendable (RelativePath) -> Bool
  ) {
    let folder: SourceFolder
    do {
      guard let opened = try output.subfolder(name) else { return }
      folder = opened
    } catch {
      return tally.tell(VerifyFinding(.changed, part, RelativePath(name), error.reason))
    }
    let stray = Guarded<[RelativePath]>([])
    let control = tally.control
    let isCancelled = { control.isCancelled }
    let unread = folder.listFiles(isCancelled: isCancelled) { path in
      let path = RelativePath(name + [UInt8(ascii: "/")] + path.bytes)
      if isUnlisted(path) { stray.withLock { $0.append(path) } }
    }
    for unread in unread { tally.tell(VerifyFinding(.unreadable, part, unread.path(below: name), unread.reason)) }
    let strays = stray.withLock { $0 }.sorted { NaturalOrder.areInIncreasingOrder($0, $1) }
    let kept = part == .original ? keptVersions(among: strays) : []
    tally.summary.keptVersions += kept.count
    for path in strays where !kept.contains(path) {
      tally.tell(VerifyFinding(.unlisted, part, path, "is in no row of the manifest"))
    }
  }

  /// The files that are the earlier content of an original that was replaced: their names carry their own checksums. They
  /// are read in a fast look too: anybody can give a file such a name, and no row says its size.
  private mutating func keptVersions(among strays: [RelativePath]) -> Set<RelativePath> {
    let checks = strays.compactMap { path in
      MarkedName.mark(of: Array(path.name)).flatMap { mark -> FileCheck? in
        guard MarkedName.lengths.contains(mark.utf8.count) else { return nil }
        return FileCheck(
          folder: output, file: ListedFile(path: path, bytes: nil, sha256: mark), part: .original, index: nil,
          isMark: true)
      }
    }
    var kept: Set<RelativePath> = []
    for start in stride(from: 0, to: checks.count, by: Self.batchSize) where !isCancelled {
      let batch = Array(checks[start..<min(checks.count, start + Self.batchSize)])
      for (check, answer) in zip(batch, crew.run(batch)) {
        tally.summary.bytesRead += answer.bytesRead
        if answer.finding == nil { kept.insert(check.file.path) }
      }
    }
    return kept
  }

  private mutating func lookForNewSources(_ source: SourceFolder) {
    let selection = RememberedSelection.read(below: output.path) ?? RememberedSelection()
    guard !selection.isListed, selection.unsupported == .report else { return }
    var configuration = RunConfiguration(source: source.path, output: output.path)
    configuration.filter = selection.filter
    configuration.includesHidden = selection.includesHidden
    configuration.holdsAlbums = AlbumsMark.directory(around: output.path)
    let candidates = CandidateList(
      source, configuration, outputFolder: OutputNames.outermostFolder(configuration), control: tally.control)
    for unread in candidates.unread {
      tally.tell(VerifyFinding(.unreadable, .source, unread.path(below: []), unread.reason))
    }
    for asset in candidates.candidates where !plan.sources.contains(asset.path.bytes) {
      tally.tell(VerifyFinding(.unlisted, .source, asset.path, "is in no row of the manifest"))
    }
  }
}

extension UnreadFolder {
  /// The folder's path where the folder that was walked lies at `name`; "." for that folder itself where it has none.
  func path(below name: [UInt8]) -> RelativePath {
    let parts = [name, path].filter { !$0.isEmpty }
    return RelativePath(parts.isEmpty ? Array(".".utf8) : Array(parts.joined(separator: [UInt8(ascii: "/")])))
  }
}

extension SourceFolder {
  /// Whether something has the name, whatever it is.
  func holds(_ path: RelativePath) -> Bool {
    presence(of: path) != .gone
  }
}
