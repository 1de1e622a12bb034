internal import Glibc
internal import IngestCore

/// Remembers what was done to the names of a folder of originals, so that a run that stops can undo it.
///
/// Safe from every thread. Remembers nothing until it is asked to.
final class ChangeLog: Sendable {
  /// One step, with paths below the folder.
  enum Step {
    /// A file or link was put where nothing of worth was.
    case placed([UInt8])
    /// What was at a path has this other name now; another content may be at the path.
    case movedAside([UInt8], to: [UInt8])
    /// What was at a path had this other name as well, and has it still.
    case doubled([UInt8], as: [UInt8])
    /// A symbolic link to this target gave way.
    case linkRemoved([UInt8], target: [UInt8])
  }

  private let steps = Guarded<[Step]?>(nil)

  func begin() {
    steps.withLock { $0 = [] }
  }

  func note(_ step: @autoclosure () -> Step) {
    steps.withLock { steps in
      if steps != nil { steps?.append(step()) }
    }
  }

  /// All steps, the last one first; forgets them.
  func takeReversed() -> [Step] {
    steps.withLock { steps in
      defer { steps = nil }
      return (steps ?? []).reversed()
    }
  }
}

extension OutputFolder {
  /// Remembers from now on what `keepCopy` and `keepLink` do to names, for `undoChanges`. A few hundred bytes for each.
  public func rememberChanges() {
    changes.begin()
  }

  /// Puts back whatever had a name before, and takes away what had none. Goes on after a failure and throws the first
  /// one at its end. What it takes away are copies of sources, and nothing else.
  public func undoChanges() throws(FileError) {
    var failure: FileError?
    for step in changes.takeReversed() {
      do throws(FileError) { try undo(step) } catch { failure = failure ?? error }
    }
    forgetMissingFolders()
    if let failure { throw failure }
    try syncFolders()
  }

  private func undo(_ step: ChangeLog.Step) throws(FileError) {
    let path: [UInt8]
    switch step {
    case .placed(let placed): return try removeFile(RelativePath(placed))
    case .movedAside(let from, _), .doubled(let from, _), .linkRemoved(let from, _): path = from
    }
    let place = try place(of: path)
    do throws(SystemError) {
      switch step {
      case .placed: break
      case .movedAside(_, let aside):
        let home = try self.home(of: aside)
        try home.folder.rename(home.name, to: place.folder, place.name[...])
        try? removeFolders(above: aside)
      case .doubled(_, let aside):
        let home = try self.home(of: aside)
        try? place.folder.remove(place.name[...])
        do {
          try home.folder.link(home.name, to: place.folder, place.name[...])
        } catch {
          // A file system without second names.
          try home.folder.rename(home.name, to: place.folder, place.name[...])
        }
      case .linkRemoved(_, let target):
        do {
          try TemporaryLink(to: target, in: ownFolder).rename(to: place.folder, place.name[...])
        } catch  where error.errno == EXDEV {
          try TemporaryLink(to: target, in: place.folder).rename(to: place.folder, place.name[...])
        }
      }
    } catch {
      throw error.about(path, "cannot be put back")
    }
    noteUnsynced(place.folderPath)
  }

  private func home(of path: [UInt8]) throws(SystemError) -> (folder: Descriptor, name: ArraySlice<UInt8>) {
    let path = RelativePath(path)
    var folder = descriptor
    for part in path.bytes[..<path.name.startIndex].split(separator: UInt8(ascii: "/")) {
      folder = try folder.openFolder(part)
    }
    return (folder, path.name)
  }

  /// Removes the folders that a path lay in, from the innermost up, as long as they are empty.
  func removeFolders(above path: [UInt8]) throws(SystemError) {
    var parts = path.split(separator: UInt8(ascii: "/")).dropLast()
    while let name = parts.popLast() {
      var folder = descriptor
      for part in parts { folder = try folder.openFolder(part) }
      try folder.remove(name, isFolder: true)
    }
  }
}
