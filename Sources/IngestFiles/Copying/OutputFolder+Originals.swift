internal import Glibc
internal import IngestCore

/// Puts originals into a folder: copies that were read back, or links. No content that is there is ever lost.
///
/// A file that has the name already and holds other content gets a name with the first digits of its own checksum
/// (`IMG_1~1a2b3c4d.jpg`) before the new one takes its place, and so do the files of a folder that stands in the way. A
/// link, a FIFO or the like has no content and is replaced.
extension OutputFolder {
  /// Copies a file to `path` below this folder and holds what was written against `sha256`, read back from the disk.
  ///
  /// Content and time of the last change are those of the source. A file that holds the content already is left alone.
  /// The content is durable when this returns, the name after `syncFolders`. Blocks the calling thread.
  ///
  /// - Parameter source: see `clearWay`.
  public func keepCopy(
    of file: SourceFile, at path: [UInt8], sha256: String, linksInto source: [UInt8]? = nil
  ) throws(OriginalFault) {
    let place = try self.target(path, linksInto: source)
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
    do { try makeRoom(at: place, path) } catch { throw .output(error) }
    do throws(SystemError) {
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

  /// How the original lies that was asked for as a link.
  public enum KeptLink: Sendable, Hashable {
    case link
    /// A regular file with the content; see `replaceCopy`.
    case copy
  }

  /// Puts a symbolic link to `target` at `path`. A regular file with the content is left alone.
  ///
  /// `target` is the source folder's path with `path` behind it.
  public func keepLink(
    to target: [UInt8], at path: [UInt8], sha256: String, size: UInt64
  ) throws(OriginalFault) -> KeptLink {
    guard target.count < Int(PATH_MAX) else {
      throw .source(FileError(path: path, operation: "has too long a path for a symbolic link", errno: 0))
    }
    let source = target.count > path.count && target.suffix(path.count) == path ? target.dropLast(path.count) : nil
    let place = try self.target(path, linksInto: source.map { Array($0) })
    if (try? place.folder.target(ofLink: place.name[...])) == target { return .link }
    if place.folder.holds(checksum: sha256, size: size, under: place.name[...]) { return .copy }
    do {
      try makeRoom(at: place, path)
      try link(to: target, at: place, path)
    } catch {
      throw .output(error)
    }
    return .link
  }

  /// Puts a symbolic link in the place of a copy. The caller has made sure that `target` holds the same content.
  public func replaceCopy(at path: [UInt8], byLinkTo target: [UInt8]) throws(FileError) {
    try link(to: target, at: place(of: path), path)
  }

  private func link(to target: [UInt8], at place: Place, _ path: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      do {
        try TemporaryLink(to: target, in: ownFolder).rename(to: place.folder, place.name[...])
      } catch  where error.errno == EXDEV {
        sweepBeside(place)
        try TemporaryLink(to: target, in: place.folder).rename(to: place.folder, place.name[...])
      }
    } catch {
      throw error.about(path, "cannot be written")
    }
    noteUnsynced(place.folderPath)
  }

  private func target(_ path: [UInt8], linksInto source: [UInt8]?) throws(OriginalFault) -> Place {
    do throws(FileError) {
      do {
        return try place(of: path)
      } catch {
        guard try clearWay(to: path, linksInto: source) else { throw error }
        return try place(of: path)
      }
    } catch {
      throw .output(error)
    }
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
}

extension SourceFile {
  /// Says that the file is not what was verified.
  var changedWhileCopied: FileError {
    FileError(path: path.bytes, operation: "changed after it was verified", errno: 0)
  }
}
