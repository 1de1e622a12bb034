internal import Glibc
internal import IngestCore

/// What a run keeps for the next one, in `.photo-ingest/`.
extension OutputFolder {
  /// A path to a file there, for a library that opens files by path. It names the folder by its descriptor, wherever
  /// that lies, unless the system has no such names.
  public func ownPath(_ name: String) -> String {
    let byNumber = "/proc/self/fd/\(ownFolder.number)"
    if let here = try? ownFolder.status(), FolderIdentity.of(Array(byNumber.utf8)) == FolderIdentity(here) {
      return "\(byNumber)/\(name)"
    }
    return String(decoding: path, as: UTF8.self) + "/.photo-ingest/" + name
  }

  /// Whether something has this name there.
  public func hasOwn(_ name: String) -> Bool {
    (try? ownFolder.status(of: Array(name.utf8)[...])) != nil
  }

  /// Gives something there another name, over what has that one. Does nothing when there is nothing.
  public func renameOwn(_ name: String, to newName: String) throws(FileError) {
    do throws(SystemError) {
      let target = Array(newName.utf8)[...]
      // A folder, or what cannot be renamed over one, is in the way only if somebody put it there by hand.
      if let there = try? ownFolder.status(of: target) { try? ownFolder.remove(target, isFolder: there.isFolder) }
      try ownFolder.rename(Array(name.utf8)[...], to: ownFolder, target)
    } catch  where error.errno == ENOENT {
      return
    } catch {
      throw error.about(Array(".photo-ingest/\(name)".utf8), "cannot be renamed")
    }
  }

  /// The state of a regular file of the output folder itself; nil when there is none.
  public func identity(ofFile name: String) -> FileIdentity? {
    guard let status = try? descriptor.status(of: Array(name.utf8)[...]), status.isRegular else { return nil }
    return FileIdentity(status)
  }

  /// Whether a file of this size, or a link, lies under a path; nil asks for a link. What lies behind a link that stands
  /// for a folder is not there.
  public func holds(_ path: [UInt8], size: UInt64?) -> Bool {
    let name = RelativePath(path).name
    guard let folder = try? folder(at: path[..<name.startIndex], whenMissing: .fail),
      let status = try? folder.status(of: name)
    else { return false }
    guard let size else { return status.isLink }
    return status.isRegular && UInt64(max(0, status.st_size)) == size
  }

  /// The content of a file of ours, such as a thumbnail; nil when it is missing, cannot be read or is not of this size.
  public func content(of path: String, count: Int) -> [UInt8]? {
    let bytes = Array(path.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard count >= 0, let name = parts.last, !parts.contains(where: { $0.isEmpty || $0.elementsEqual("..".utf8) }),
      let folder = try? folder(at: bytes.dropLast(name.count)[...], whenMissing: .fail),
      let seen = try? folder.status(of: name), seen.isRegular, Int(seen.st_size) == count,
      let file = try? folder.openRegularFile(name, seenAs: seen).0
    else { return nil }
    var content = [UInt8](repeating: 0, count: count)
    guard (try? file.fill(&content)) == count else { return nil }
    return content
  }
}
