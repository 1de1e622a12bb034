internal import Glibc

extension OutputFolder {
  /// A folder of this one, made where it is missing and never entered through a link, that is written to in the same way.
  ///
  /// Its temporary files lie where those of this folder do. It has folders of its own to sync: see `syncFolders`.
  public func beneath(_ name: [UInt8]) throws(FileError) -> OutputFolder {
    do throws(SystemError) {
      let folder = try FolderMaker.open(name[...], in: descriptor)
      noteUnsynced([])
      return OutputFolder(
        path: path + [UInt8(ascii: "/")] + name, identity: FolderIdentity(try folder.status()), descriptor: folder,
        ownFolder: ownFolder)
    } catch {
      let isLink = (try? descriptor.status(of: name[...]))?.isLink == true
      throw isLink
        ? FileError(path: name, operation: ScanJudge.linkReason, errno: 0) : error.about(name, "cannot be written to")
    }
  }

  /// The same folder for reading; nil where there is none of that name, an error where it is a link or no folder.
  public func reading(_ name: [UInt8]) throws(FileError) -> SourceFolder? {
    try SourceFolder.open(name, in: descriptor, shown: path + [UInt8(ascii: "/")] + name)
  }
}

extension SourceFolder {
  /// A folder of this one for reading, never entered through a link; nil where there is none.
  public func subfolder(_ name: [UInt8]) throws(FileError) -> SourceFolder? {
    try Self.open(name, in: descriptor, shown: path + [UInt8(ascii: "/")] + name)
  }

  fileprivate static func open(
    _ name: [UInt8], in folder: Descriptor, shown path: [UInt8]
  ) throws(FileError) -> SourceFolder? {
    do throws(SystemError) {
      let descriptor = try folder.openFolder(name[...])
      return SourceFolder(path: path, identity: FolderIdentity(try descriptor.status()), descriptor: descriptor)
    } catch {
      if error.errno == ENOENT { return nil }
      let isLink = (try? folder.status(of: name[...]))?.isLink == true
      throw isLink
        ? FileError(path: path, operation: ScanJudge.linkReason, errno: 0) : error.about(path, "cannot be opened")
    }
  }
}
