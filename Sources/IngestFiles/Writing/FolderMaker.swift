internal import Glibc

/// Opens folders and makes those that are missing.
enum FolderMaker {
  /// Opens a folder by a path as a user gave it, links followed, and makes its missing parts.
  static func open(path: [UInt8]) throws(SystemError) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
    do {
      return try Descriptor.open(path: path, flags)
    } catch  where error.errno == ENOENT && !path.isEmpty {
      let isAbsolute = path.first == UInt8(ascii: "/")
      var folder = try Descriptor.open(path: [UInt8(ascii: isAbsolute ? "/" : ".")], Descriptor.pathOnly)
      for part in path.split(separator: UInt8(ascii: "/")) {
        do {
          folder = try folder.open(part, Descriptor.pathOnly | O_DIRECTORY)
        } catch  where error.errno == ENOENT {
          try make(part, in: folder)
          folder = try folder.open(part, Descriptor.pathOnly | O_DIRECTORY)
        }
      }
      return try folder.open([UInt8(ascii: ".")], flags)
    }
  }

  /// Opens a folder of a folder, never through a link, and makes it where it is missing.
  ///
  /// - Parameter isSyncedLater: whether the caller sees to it that the new name becomes durable.
  static func open(
    _ name: ArraySlice<UInt8>, in folder: Descriptor, isSyncedLater: Bool = false
  ) throws(SystemError) -> Descriptor {
    do {
      return try folder.openFolder(name)
    } catch  where error.errno == ENOENT {
      try make(name, in: folder, isSyncedLater: isSyncedLater)
      return try folder.openFolder(name)
    }
  }

  private static func make(
    _ name: ArraySlice<UInt8>, in folder: Descriptor, isSyncedLater: Bool = false
  ) throws(SystemError) {
    do {
      try folder.makeFolder(name)
    } catch  where error.errno == EEXIST {
      return  // Another thread was faster.
    }
    if isSyncedLater { return }
    // As good as it goes: a folder above ours may not be ours to read, or on a disk that does not do this. But a disk that
    // has lost the name must not be heard of only once: the next fsync would call it durable.
    do {
      try folder.open([UInt8(ascii: ".")], O_RDONLY | O_DIRECTORY).synchronize()
    } catch  where error.errno == EIO {
      throw error
    } catch {}
  }
}
