internal import Glibc
public import IngestCore

/// Opens a folder of photos once and finds everything below it from there, by bytes and never through a link.
///
/// Safe from every thread. Holds one descriptor. The folder that the user names may itself be a link.
public final class SourceFolder: Sendable {
  /// The path as it was given.
  public let path: [UInt8]
  public let identity: FolderIdentity
  let descriptor: Descriptor

  init(path: [UInt8], identity: FolderIdentity, descriptor: Descriptor) {
    self.path = path
    self.identity = identity
    self.descriptor = descriptor
  }

  public static func open(_ path: [UInt8]) throws(FileError) -> SourceFolder {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path: path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
      return SourceFolder(path: path, identity: FolderIdentity(try descriptor.status()), descriptor: descriptor)
    } catch {
      throw error.about(path, "cannot be opened")
    }
  }

  /// Whether this folder is `folder`, or lies somewhere below it. Looks upwards, so links on the way down do not matter.
  public func lies(within folder: FolderIdentity) -> Bool {
    guard var here = try? descriptor.open([UInt8(ascii: ".")], Descriptor.pathOnly) else { return false }
    var last: FolderIdentity?
    while let status = try? here.status() {
      let identity = FolderIdentity(status)
      if identity == folder { return true }
      // The root is its own parent.
      guard identity != last, let parent = try? here.open(Array("..".utf8)[...], Descriptor.pathOnly) else {
        return false
      }
      last = identity
      here = parent
    }
    return false
  }

  /// Finds all photos below the folder.
  ///
  /// A folder that cannot be read is a message, and the scan goes on. `isCancelled` is asked often, on this thread.
  public func scan(_ options: ScanOptions, isCancelled: () -> Bool = { false }) -> ScanResult {
    var walk = FolderWalk(source: self, options: options)
    return walk.run(isCancelled: isCancelled)
  }

  /// Looks at the names of a list, in its order, a repeated name once. The same rules hold as in a scan.
  ///
  /// A name that does not exist, or cannot be looked at, is a candidate whose opening fails.
  public func scanList(
    _ paths: [RelativePath], _ options: ScanOptions, isCancelled: () -> Bool = { false }
  ) -> ScanResult {
    var scan = ListScan(source: self, options: options)
    return scan.run(paths, isCancelled: isCancelled)
  }

  /// Opens a photo for its one read. FIFOs, sockets, devices and links are never opened.
  public func open(_ path: RelativePath) throws(FileError) -> SourceFile {
    let parent = try parent(of: path)
    var attempts = 0
    while true {
      let seen = try status(of: path, in: parent)
      guard seen.isRegular else {
        throw FileError(path: path.bytes, operation: wordsForKind(of: seen), errno: 0)
      }
      do throws(SystemError) {
        let (file, identity) = try parent.openRegularFile(path.name, seenAs: seen)
        return SourceFile(folder: self, path: path, descriptor: file, identity: identity)
      } catch {
        // Another file took the name between the look and the opening; look again, but not for ever.
        attempts += 1
        if error.errno == ESTALE || error.errno == ELOOP, attempts < 3 { continue }
        throw error.about(path.bytes, "cannot be opened")
      }
    }
  }

  /// Tells the kernel that a photo will be read soon, so that it reads from the disk while another is decoded.
  ///
  /// A hint and no more: what stands in the way is for `open` to say.
  public func expect(_ path: RelativePath) {
    guard let parent = try? parent(of: path), let seen = try? status(of: path, in: parent), seen.isRegular,
      let file = try? parent.openRegularFile(path.name, seenAs: seen).0
    else { return }
    _ = posix_fadvise(file.number, 0, SourceFolder.expectedLength, Int32(POSIX_FADV_WILLNEED))
  }

  /// A photo; of what is longer the decoder's own reading keeps ahead.
  private static let expectedLength: off_t = 16 << 20

  /// What a path leads to now, without opening it.
  func status(of path: RelativePath) throws(FileError) -> stat {
    try status(of: path, in: parent(of: path))
  }

  private func status(of path: RelativePath, in parent: Descriptor) throws(FileError) -> stat {
    do {
      return try parent.status(of: path.name)
    } catch {
      throw error.about(path.bytes, "cannot be opened")
    }
  }

  private func parent(of path: RelativePath) throws(FileError) -> Descriptor {
    guard path.name.startIndex > 0 else { return descriptor }
    let parentPath = RelativePath(Array(path.bytes[..<(path.name.startIndex - 1)]))
    do {
      return try folder(at: parentPath)
    } catch  where error.errno == ELOOP {
      throw FileError(path: path.bytes, operation: SourceFolder.behindLinkReason, errno: 0)
    } catch {
      throw error.about(path.bytes, "cannot be opened")
    }
  }

  static let behindLinkReason = "lies behind a symbolic link, which is not followed"

  /// Opens a folder below this one, one part after the other, so that no part is followed out of it as a link.
  ///
  /// ELOOP when a part is a link. The path may be longer than the system takes in one call.
  func folder(at path: RelativePath, visit: ((FolderIdentity) -> Void)? = nil) throws(SystemError) -> Descriptor {
    var folder = descriptor
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      // Folders that may be entered but not listed are enough here.
      do {
        folder = try folder.open(part, Descriptor.pathOnly | O_DIRECTORY | O_NOFOLLOW)
      } catch  where error.errno == ENOTDIR {
        // The kernel says the same of a link and of a file.
        if let status = try? folder.status(of: part), status.isLink { throw SystemError(errno: ELOOP) }
        throw error
      }
      if let visit, let status = try? folder.status() { visit(FolderIdentity(status)) }
    }
    return folder
  }

  private func wordsForKind(of status: stat) -> String {
    switch status.type {
    case S_IFLNK: ScanJudge.linkReason
    case S_IFDIR: "is a folder"
    case S_IFIFO: "is a FIFO, which is not opened"
    case S_IFSOCK: "is a socket, which is not opened"
    default: "is a device, which is not opened"
    }
  }
}
