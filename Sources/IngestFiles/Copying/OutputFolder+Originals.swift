internal import Glibc
internal import IngestCore

/// Puts originals into a folder: copies that were read back, or links. No content that is there is ever lost.
///
/// A file that has the name already and holds other content gets a name with the first digits of its own checksum
/// (`IMG_1~1a2b3c4d.jpg`) before the new one takes its place. A link, a FIFO or the like has no content and is replaced.
extension OutputFolder {
  /// Copies a file to `path` below this folder and holds what was written against `sha256`, read back from the disk.
  ///
  /// Content and time of the last change are those of the source. A file that holds the content already is left alone.
  /// The content is durable when this returns, the name after `syncFolders`. Blocks the calling thread.
  public func keepCopy(of file: SourceFile, at path: [UInt8], sha256: String) throws(OriginalFault) {
    let place = try target(path)
    if place.folder.holds(checksum: sha256, size: file.identity.size, under: place.name[...]) {
      return noteUnsynced(place.folderPath)
    }
    var isDone = false
    if !isApart(place.folder) {
      isDone = try put(copy(file, sha256: sha256, in: ownFolder, at: path), at: place, path)
    }
    if !isDone {
      // The folder is a mount of its own: only a file beside can be renamed there.
      sweepBeside(place)
      guard try put(copy(file, sha256: sha256, in: place.folder, at: path), at: place, path) else {
        throw .output(FileError(path: path, operation: "cannot be written", errno: EXDEV))
      }
    }
    noteUnsynced(place.folderPath)
  }

  /// Gives a copy its name; false when it lies on another mount than its place.
  private func put(_ temporary: TemporaryFile, at place: Place, _ path: [UInt8]) throws(OriginalFault) -> Bool {
    do throws(SystemError) {
      try makeRoom(at: place, path)
      try temporary.rename(to: place.folder, place.name[...])
      return true
    } catch  where error.errno == EXDEV {
      return false
    } catch {
      throw .output(error.about(path, "cannot be written"))
    }
  }

  /// Whether a folder lies on another file system than `.photo-ingest/`. One mounted twice shows itself in a rename only.
  private func isApart(_ folder: Descriptor) -> Bool {
    guard let here = try? ownFolder.status(), let there = try? folder.status() else { return false }
    return here.st_dev != there.st_dev
  }

  /// Puts a symbolic link to `target` at `path`. A regular file with the content is as good and is left alone.
  public func keepLink(to target: [UInt8], at path: [UInt8], sha256: String, size: UInt64) throws(OriginalFault) {
    guard target.count < Int(PATH_MAX) else {
      throw .source(FileError(path: path, operation: "has too long a path for a symbolic link", errno: 0))
    }
    let place = try self.target(path)
    if (try? place.folder.target(ofLink: place.name[...])) == target { return }
    if place.folder.holds(checksum: sha256, size: size, under: place.name[...]) { return }
    do throws(SystemError) {
      try makeRoom(at: place, path)
      do {
        try TemporaryLink(to: target, in: ownFolder).rename(to: place.folder, place.name[...])
      } catch  where error.errno == EXDEV {
        sweepBeside(place)
        try TemporaryLink(to: target, in: place.folder).rename(to: place.folder, place.name[...])
      }
    } catch {
      throw .output(error.about(path, "cannot be written"))
    }
    noteUnsynced(place.folderPath)
  }

  private func target(_ path: [UInt8]) throws(OriginalFault) -> Place {
    do { return try place(of: path) } catch { throw .output(error) }
  }

  /// A temporary file with the content, durable and read back.
  private func copy(
    _ file: SourceFile, sha256: String, in folder: Descriptor, at path: [UInt8]
  ) throws(OriginalFault) -> TemporaryFile {
    let temporary: TemporaryFile
    do {
      temporary = try TemporaryFile.make(in: folder)
      try file.descriptor.copyVerified(to: temporary.descriptor, sha256: sha256)
      return temporary
    } catch let fault as VerifiedCopyFault {
      switch fault {
      case .changed: throw .source(file.changedWhileCopied)
      case .source(let error): throw .source(error.about(file.path.bytes, "cannot be read"))
      case .target(let error): throw .output(error.about(path, "cannot be written"))
      case .differs:
        throw .output(FileError(path: path, operation: "was written, and the disk gives back something else", errno: 0))
      }
    } catch {
      throw .output((error as? SystemError ?? SystemError(errno: EIO)).about(path, "cannot be written"))
    }
  }

  /// Makes sure that a rename to this place loses no content.
  private func makeRoom(at place: Place, _ path: [UInt8]) throws(SystemError) {
    guard let there = try? place.folder.status(of: place.name[...]), there.isRegular else { return }
    if try place.folder.foldsCase(at: place.name, there) {
      // Renaming would take the file of another photo: `a.jpg` and `A.JPG` are one name here.
      throw SystemError(errno: EEXIST)
    }
    let file = try place.folder.openRegularFile(place.name[...], seenAs: there).0
    guard let (sha256, count) = try file.checksum() else { return }
    for length in MarkedName.lengths {
      let aside = MarkedName.make(place.name, mark: String(sha256.prefix(length)))
      do {
        try place.folder.link(place.name[...], to: place.folder, aside[...])
        return
      } catch  where error.errno == EEXIST {
        if place.folder.holds(checksum: sha256, size: count, under: aside[...]) { return }
      } catch  where [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(error.errno) {
        // A file system without second names.
        return try place.folder.renameNew(place.name[...], to: place.folder, aside[...])
      }
    }
    throw SystemError(errno: EEXIST)
  }
}

extension SourceFile {
  /// Says that the file is not what was verified.
  var changedWhileCopied: FileError {
    FileError(path: path.bytes, operation: "changed after it was verified", errno: 0)
  }
}
