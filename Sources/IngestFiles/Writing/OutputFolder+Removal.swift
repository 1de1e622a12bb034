internal import Glibc
public import IngestCore

extension OutputFolder {
  /// Removes one file or link below this folder, never through a link, and the folders that are empty then.
  ///
  /// Does nothing where there is nothing.
  public func removeFile(_ path: RelativePath) throws(FileError) {
    guard path.isContained, !path.isAddress else {
      throw FileError(path: path.bytes, operation: "is no path inside the output folder", errno: 0)
    }
    let parts = path.bytes.split(separator: UInt8(ascii: "/"))
    var folders = [descriptor]
    do throws(SystemError) {
      for part in parts.dropLast() { folders.append(try folders[folders.count - 1].openFolder(part)) }
      try folders[folders.count - 1].remove(path.name)
      for (depth, part) in parts.dropLast().enumerated().reversed() {
        do { try folders[depth].remove(part, isFolder: true) } catch { break }
      }
    } catch {
      if error.errno == ENOENT { return }
      throw error.about(path.bytes, "cannot be removed")
    }
  }

  /// Removes a folder of ours with everything in it, never through a link. Does nothing where there is none.
  func removeTree(_ name: [UInt8]) throws(FileError) {
    let folder: Descriptor
    do throws(SystemError) {
      folder = try descriptor.openFolder(name[...])
    } catch {
      if error.errno == ENOENT { return }
      throw error.about(name, "cannot be removed")
    }
    do throws(SystemError) {
      try Self.empty(folder, depth: 0)
      try descriptor.remove(name[...], isFolder: true)
    } catch {
      throw error.about(name, "cannot be removed")
    }
  }

  /// A folder deeper than this is brought up first, so that a deep tree costs few descriptors.
  private static let deepest = 24

  private static func empty(_ folder: Descriptor, depth: Int) throws(SystemError) {
    while true {
      let names = try FolderEntries.names(in: folder)
      if names.isEmpty { return }
      for name in names {
        guard try folder.status(of: name[...]).isFolder else {
          try folder.remove(name[...])
          continue
        }
        let inner = try folder.openFolder(name[...])
        if depth == deepest { try hoist(inner, to: folder) }
        try empty(inner, depth: depth + 1)
        try folder.remove(name[...], isFolder: true)
      }
    }
  }

  /// Moves the folders of a folder one level up, where the next look finds them.
  private static func hoist(_ inner: Descriptor, to folder: Descriptor) throws(SystemError) {
    for name in try FolderEntries.names(in: inner) {
      let status = try inner.status(of: name[...])
      guard status.isFolder else { continue }
      try inner.rename(name[...], to: folder, Array("hoisted-\(status.st_ino)".utf8)[...])
    }
  }
}
