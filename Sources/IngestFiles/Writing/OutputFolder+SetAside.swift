internal import Glibc

extension OutputFolder {
  private static let asideFolder = Array("set-aside".utf8)

  /// Takes away a folder that stands where a file of ours must go: removed when it is empty, else moved with all that is
  /// in it below `.photo-ingest/`.
  ///
  /// Returns where it is now, nil when it was empty. Does nothing for anything but a folder.
  public func takeFolderAway(from path: String) throws(FileError) -> String? {
    let place = try place(of: Array(path.utf8))
    do throws(SystemError) {
      guard try place.folder.status(of: place.name[...]).isFolder else { return nil }
      do {
        try place.folder.remove(place.name[...], isFolder: true)
        return nil
      } catch  where error.errno == ENOTEMPTY || error.errno == EEXIST {}
      let shelter = try FolderMaker.open(Self.asideFolder[...], in: ownFolder)
      for number in 1...Self.mostNames {
        let name = place.name + (number == 1 ? [] : Array("-\(number)".utf8))
        do {
          try place.folder.renameNew(place.name[...], to: shelter, name[...])
        } catch  where error.errno == EEXIST || error.errno == ENOTEMPTY {
          continue
        }
        return String(decoding: Self.ownFolderName, as: UTF8.self) + "/set-aside/"
          + String(decoding: name, as: UTF8.self)
      }
      throw SystemError(errno: EEXIST)
    } catch {
      throw error.about(Array(path.utf8), "is a folder and cannot be moved away")
    }
  }

  /// So many folders of one name are somebody's joke.
  private static let mostNames = 1000
}
