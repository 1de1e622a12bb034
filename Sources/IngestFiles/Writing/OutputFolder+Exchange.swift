internal import CIngestFiles
internal import Glibc
internal import IngestCore

/// Builds a folder aside and gives it its name whole.
extension OutputFolder {
  private static let building = Array("building".utf8)
  private static let replaced = Array("replaced".utf8)

  /// `.photo-ingest/` itself, to be written to.
  private var own: OutputFolder {
    OutputFolder(
      path: path + [UInt8(ascii: "/")] + Self.ownFolderName, identity: identity, descriptor: ownFolder,
      ownFolder: ownFolder)
  }

  /// Begins a folder that is to have a name of this one; `exchange` gives it the name. What a dead run has left of such
  /// a folder is removed first, and a folder that was taken away for the moment gets its name back.
  public func beginFolder(for name: [UInt8]) throws(FileError) -> OutputFolder {
    let own = own
    do throws(SystemError) {
      if (try? ownFolder.status(of: Self.replaced[...]))?.isFolder == true,
        (try? descriptor.status(of: name[...])) == nil
      {
        try ownFolder.renameNew(Self.replaced[...], to: descriptor, name[...])
      }
    } catch {
      throw error.about(name, "cannot be put back in its place")
    }
    try own.removeTree(Self.replaced)
    try own.removeTree(Self.building)
    return try own.beneath(Self.building)
  }

  /// Gives the folder that was begun last its name, in one step where the file system can; what had the name is removed.
  ///
  /// Everything in it must be durable by now. A kill at any moment leaves the old or the new folder whole; where the file
  /// system knows no exchange it may stand under another name for a moment, until the next `beginFolder`.
  public func exchange(_ name: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      if (try? descriptor.status(of: name[...])) == nil {
        try ownFolder.renameNew(Self.building[...], to: descriptor, name[...])
      } else {
        let result = unsafe cf_exchange(
          ownFolder.number, nulTerminated(Self.building[...]), descriptor.number, nulTerminated(name[...]))
        switch result {
        case 0: break
        case EINVAL, ENOSYS: try exchangeInTwoSteps(name)
        default: throw SystemError(errno: result)
        }
      }
      try descriptor.synchronize()
      try ownFolder.synchronize()
    } catch {
      throw error.about(name, "cannot be put in its place")
    }
    try own.removeTree(Self.building)
    try own.removeTree(Self.replaced)
  }

  /// Where the file system knows no exchange. When the second step fails, what had the name gets it back.
  func exchangeInTwoSteps(_ name: [UInt8]) throws(SystemError) {
    try descriptor.rename(name[...], to: ownFolder, Self.replaced[...])
    do {
      try ownFolder.rename(Self.building[...], to: descriptor, name[...])
    } catch {
      try? ownFolder.renameNew(Self.replaced[...], to: descriptor, name[...])
      throw error
    }
  }

  /// Drops the folder that was begun last.
  public func abandonFolder() {
    try? own.removeTree(Self.building)
  }

  /// Gives a file of ours one more name below this folder, if it holds this content; false when it does not, and where
  /// the file system has no second names. Never called with a source, whose times it would change.
  public func keepSecondName(of file: SourceFile, in folder: SourceFolder, at path: [UInt8], sha256: String)
    throws(FileError) -> Bool
  {
    guard try file.wholeChecksum() == sha256 else { return false }
    let place = try place(of: path)
    do throws(SystemError) {
      let name = file.path.name
      let parent = RelativePath(Array(file.path.bytes[..<max(0, name.startIndex - 1)]))
      let from = try folder.folder(at: parent)
      guard FileIdentity(try from.status(of: name)).file == file.identity.file else { return false }
      try from.link(name, to: place.folder, place.name[...])
      // Somebody may have put another file under the name between the two looks.
      guard FileIdentity(try place.folder.status(of: place.name[...])).file == file.identity.file else {
        try place.folder.remove(place.name[...])
        return false
      }
    } catch {
      if [EXDEV, EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(error.errno) { return false }
      throw error.about(path, "cannot be written")
    }
    noteUnsynced(place.folderPath)
    return true
  }
}
