internal import Glibc
internal import IngestCore

/// Writes into one folder and nowhere else: whole files under their final names, or nothing.
///
/// Safe from every thread. Everything is looked up from one descriptor, and a symbolic link in the place of a folder is
/// an error. Temporary files live in `.photo-ingest/`. Holds two descriptors.
public final class OutputFolder: Sendable {
  /// The path as it was given.
  public let path: [UInt8]
  public let identity: FolderIdentity
  let descriptor: Descriptor
  /// `.photo-ingest/`
  let ownFolder: Descriptor
  /// Folders that have new names in them which are not durable yet, by their paths; guarded by its lock.
  private let unsynced = Guarded<Set<[UInt8]>>([])
  /// Folders with temporary files of their own, swept already, by their paths; guarded by its lock.
  private let swept = Guarded<Set<[UInt8]>>([])

  /// What was done to names below a folder of originals, while somebody wants to be able to undo it.
  let changes = ChangeLog()

  static let ownFolderName = Array(".photo-ingest".utf8)

  init(path: [UInt8], identity: FolderIdentity, descriptor: Descriptor, ownFolder: Descriptor) {
    self.path = path
    self.identity = identity
    self.descriptor = descriptor
    self.ownFolder = ownFolder
  }

  /// Opens the folder, made with its parents where it is missing, and makes sure that it can be written to.
  public static func create(_ path: [UInt8]) throws(FileError) -> OutputFolder {
    do throws(SystemError) {
      let descriptor = try FolderMaker.open(path: path)
      let identity = FolderIdentity(try descriptor.status())
      guard unsafe faccessat(descriptor.number, ".", W_OK | X_OK, 0) == 0 else { throw SystemError.last }
      let ownFolder = try FolderMaker.open(ownFolderName[...], in: descriptor)
      guard unsafe faccessat(ownFolder.number, ".", W_OK | X_OK, 0) == 0 else { throw SystemError.last }
      return OutputFolder(path: path, identity: identity, descriptor: descriptor, ownFolder: ownFolder)
    } catch {
      throw error.about(path, "cannot be written to")
    }
  }

  /// Puts a whole file under a path like `thumbnails/256/ab/<id>.jpg`, folders made as needed.
  ///
  /// The content is durable when this returns, the name after `syncFolders`. A file that holds these bytes already is
  /// left alone with its times. When it fails, whatever had the name before still has it.
  public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let place = try place(of: Array(path.utf8))
    do throws(SystemError) {
      if !place.folder.holds(bytes, under: place.name[...]) {
        do {
          try write(bytes, to: place, by: ownFolder)
        } catch  where error.errno == EXDEV {
          // The folder is a mount of its own: only a file beside can be renamed there.
          sweepBeside(place)
          try write(bytes, to: place, by: place.folder)
        }
      }
    } catch {
      throw error.about(Array(path.utf8), "cannot be written")
    }
    noteUnsynced(place.folderPath)
  }

  /// Remembers that a folder has a new name in it which is not durable yet.
  func noteUnsynced(_ folderPath: [UInt8]) {
    unsynced.withLock { _ = $0.insert(folderPath) }
  }

  /// Forgets folders that are not there any more: they have no names to be made durable.
  func forgetMissingFolders() {
    let folders = unsynced.withLock { $0 }
    let missing = folders.filter { path in (try? folder(at: path[...], whenMissing: .fail)) == nil }
    unsynced.withLock { $0.subtract(missing) }
  }

  private func write(_ bytes: [UInt8], to place: Place, by folder: Descriptor) throws(SystemError) {
    let temporary = try TemporaryFile.make(in: folder)
    try temporary.descriptor.write(bytes[...])
    try temporary.descriptor.synchronize()
    try temporary.rename(to: place.folder, place.name[...])
  }

  /// Makes the names of all files written so far durable, each folder once. Called before the manifest is committed.
  public func syncFolders() throws(FileError) {
    let folders = unsynced.withLock { folders in
      defer { folders = [] }
      return folders
    }
    for path in folders.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let folder = try self.folder(at: path[...], whenMissing: .fail)
      do {
        try folder.synchronize()
      } catch {
        throw error.about(path.isEmpty ? self.path : path, "cannot be made durable")
      }
    }
  }

  /// Begins a file that is written piece by piece; its final name is left alone until `commit`.
  public func beginFile(_ path: String) throws(FileError) -> PendingFile {
    let place = try place(of: Array(path.utf8))
    return try PendingFile(
      path: Array(path.utf8), temporaryFolder: ownFolder, folder: place.folder, name: place.name)
  }

  /// Removes temporary files that dead runs have left; called at the start of a run.
  public func sweepLeftovers() {
    TemporaryFile.sweep(ownFolder)
    TemporaryFile.sweep(descriptor)
  }

  /// Removes what dead runs have left beside a place, once: called before the first temporary file is made there.
  func sweepBeside(_ place: Place) {
    guard swept.withLock({ $0.insert(place.folderPath).inserted }) else { return }
    TemporaryFile.sweep(place.folder)
  }

  // MARK: Places

  /// Where a file goes: its open folder, that folder's path, and its name there.
  struct Place {
    let folder: Descriptor
    let folderPath: [UInt8]
    let name: [UInt8]
  }

  enum WhenMissing { case make, fail }

  func place(of path: [UInt8]) throws(FileError) -> Place {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.contains(0) && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    guard isPlain, let name = parts.last else {
      throw FileError(path: path, operation: "is no path inside the output folder", errno: 0)
    }
    let folderPath = Array(path.dropLast(parts.count > 1 ? name.count + 1 : name.count))
    return Place(
      folder: try folder(at: folderPath[...], whenMissing: .make), folderPath: folderPath, name: Array(name))
  }

  /// Opens a folder below this one, part by part, never through a link.
  func folder(at path: ArraySlice<UInt8>, whenMissing: WhenMissing) throws(FileError) -> Descriptor {
    var folder = descriptor
    var end = path.startIndex
    for part in path.split(separator: UInt8(ascii: "/")) {
      let parentPath = Array(path[..<end])
      end = part.endIndex
      let here = Array(path[..<end])
      do throws(SystemError) {
        folder = try folder.openFolder(part)
      } catch {
        if error.errno == ENOENT, whenMissing == .make {
          folder = try make(part, in: folder, path: here)
          unsynced.withLock { _ = $0.insert(parentPath) }
          continue
        }
        let isLink = (try? folder.status(of: part))?.isLink == true
        throw isLink
          ? FileError(path: here, operation: ScanJudge.linkReason, errno: 0) : error.about(here, "cannot be opened")
      }
    }
    return folder
  }

  private func make(
    _ name: ArraySlice<UInt8>, in folder: Descriptor, path: [UInt8]
  ) throws(FileError) -> Descriptor {
    do {
      // Its name is among those that `syncFolders` makes durable: once for all, not once for each.
      return try FolderMaker.open(name, in: folder, isSyncedLater: true)
    } catch {
      throw error.about(path, "cannot be made")
    }
  }
}
