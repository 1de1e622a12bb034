import IngestCore
import IngestFiles

/// Puts the original of each photo into the archive while its row is written, and its side files with it.
///
/// Belongs to the run's thread. Every row with a checksum gets its original, damaged ones too: their bytes are all there
/// is of them.
final class OriginalKeeper {
  private let kind: AssetRow.OriginalKind
  private let source: SourceFolder
  private let folder: OutputFolder
  private let sideFiles: SideFiles?
  private let report: IngestRun.Report
  /// Copies that are to give way to links when the run is about to be committed, and the states of their sources.
  private var copies: [(path: RelativePath, source: FileIdentity)] = []

  /// Nil when the run keeps no originals; makes the folder for them otherwise.
  init?(
    _ configuration: RunConfiguration, source: SourceFolder, output: OutputFolder, report: @escaping IngestRun.Report
  ) throws(FileError) {
    guard let kind = configuration.originals else { return nil }
    self.kind = kind
    self.source = source
    self.report = report
    folder = try output.beneath(RelativePath.originalsFolder)
    sideFiles =
      configuration.carriesSideFiles ? SideFiles(source: source, exclude: configuration.filter.exclude) : nil
  }

  /// Keeps the original of a row and says so in the row; the failure when the file does not hold any more what was read.
  func keep(_ row: inout AssetRow) throws(FileError) -> LoadFailure? {
    guard let sha256 = row.sha256, !row.path.isAddress else { return nil }
    do throws(OriginalFault) {
      try put(row.path, sha256: sha256)
      row.original = kind
    } catch {
      switch error {
      case .output(let error): throw error
      case .source(let error):
        guard kind == .copy else {
          report(.message(.warning, "no link to the original: \(error.description)"))
          return nil
        }
        return error.errno == 0 ? LoadFailure(.unstable, error.reason) : error.loadFailure
      }
    }
    if let sideFiles { try keepSideFiles(of: &row, sideFiles) }
    return nil
  }

  /// See `SideFiles.mark`; nil where side files are not carried, or there are none.
  func sideMark(of photo: RelativePath) -> String? {
    sideFiles?.mark(of: photo)
  }

  /// Puts links in the places of copies where links are wanted, and makes the names of all originals durable; called
  /// before the manifest is committed.
  func finish() throws(FileError) {
    do throws(FileError) {
      // A source that is not what it was may leave the copy as the last one of its content. The next run looks again.
      for copy in copies where source.identity(of: copy.path) == copy.source {
        try folder.replaceCopy(at: copy.path.bytes, byLinkTo: linkTarget(copy.path))
      }
      copies = []
      try folder.syncFolders()
    } catch {
      throw error.below(RelativePath.originalsFolder)
    }
  }

  /// Remembers from now on what is done, for `undo`.
  func rememberChanges() {
    folder.rememberChanges()
  }

  /// Puts everything back as it was when `rememberChanges` was called, for a run that stops; says what cannot be.
  func undo() {
    do {
      try folder.undoChanges()
    } catch {
      report(.message(.warning, error.below(RelativePath.originalsFolder).description))
    }
  }

  private func linkTarget(_ path: RelativePath) -> [UInt8] {
    source.absolutePath + [UInt8(ascii: "/")] + path.bytes
  }

  private func keepSideFiles(of row: inout AssetRow, _ sideFiles: SideFiles) throws(FileError) {
    let paths: [RelativePath]
    do {
      paths = try sideFiles.beside(row.path)
    } catch {
      return leaveOut(error, of: &row)
    }
    for path in paths {
      do throws(OriginalFault) {
        row.sideFiles.append(try keepSideFile(path))
      } catch {
        switch error {
        case .output(let error): throw error
        case .source(let error): leaveOut(error, of: &row)
        }
      }
    }
  }

  private func keepSideFile(_ path: RelativePath) throws(OriginalFault) -> AssetRow.SideFile {
    var isLastTry = false
    while true {
      do throws(OriginalFault) {
        let file = try opened(path)
        let sha256: String
        do { sha256 = try file.wholeChecksum() ?? "" } catch { throw .source(error) }
        try put(path, sha256: sha256)
        return AssetRow.SideFile(path: path, bytes: file.identity.size, sha256: sha256)
      } catch OriginalFault.source(let error) {
        // It may have been written to just now.
        guard error.errno == 0, !isLastTry else { throw .source(error) }
        isLastTry = true
      }
    }
  }

  private func put(_ path: RelativePath, sha256: String) throws(OriginalFault) {
    let file = try opened(path)
    do throws(OriginalFault) {
      switch kind {
      case .copy:
        try folder.keepCopy(of: file, at: path.bytes, sha256: sha256, linksInto: linkTarget(RelativePath([])))
      case .symlink:
        let kept = try folder.keepLink(
          to: linkTarget(path), at: path.bytes, sha256: sha256, size: file.identity.size)
        if kept == .copy, (try? file.wholeChecksum()) == sha256 { copies.append((path, file.identity)) }
      }
    } catch {
      guard case .output(let fault) = error else { throw error }
      throw .output(fault.below(RelativePath.originalsFolder))
    }
  }

  private func opened(_ path: RelativePath) throws(OriginalFault) -> SourceFile {
    do { return try source.open(path) } catch { throw .source(error) }
  }

  private func leaveOut(_ error: FileError, of row: inout AssetRow) {
    row.notes.insert("side-file-left-out")
    report(.message(.warning, "side file left out: \(error.description)"))
  }
}
