internal import Glibc
internal import IngestCore

/// Finds, opens and locks the file `.photo-ingest/lock` of an output folder.
///
/// The file stays when nobody holds it: whoever removed it could remove the one that somebody else has just locked.
struct LockFile {
  static let name = Array("lock".utf8)
  static let path = OutputFolder.ownFolderName + [UInt8(ascii: "/")] + name

  /// The output folder, as it was given.
  let output: [UInt8]
  /// The kernel's flock, or one of a test.
  let flock: @Sendable (Int32, Int32) -> Int32

  enum Attempt {
    case taken(Held)
    case busy
  }

  /// What is locked as long as it is open.
  struct Held: Sendable {
    /// Nil where there is none to lock.
    var file: Descriptor?
    /// `.photo-ingest/` itself: it keeps others out when somebody has removed the locked file. Nil where folders cannot be
    /// locked, as on some network file systems; then the file alone must do.
    var folder: Descriptor?
  }

  /// Tries once for the whole folder.
  func takeAlone() throws(FileError) -> Attempt {
    // A file that was put in the place of the locked one is another lock; then the whole way is gone once more.
    for _ in 0..<20 {
      let folder = try OutputFolder.create(output).ownFolder
      let file: Descriptor
      do {
        file = try openForWriting(in: folder)
      } catch  where error.errno == ENOENT {
        continue
      } catch {
        throw error.errno == ELOOP ? refused(ScanJudge.linkReason) : error.about(fullPath, "cannot be opened")
      }
      guard try isPlain(file) else { continue }
      guard try lock(file, LOCK_EX) else { return .busy }
      guard stands(file) else { continue }
      guard try lockFolder(folder, LOCK_EX) else { return .busy }
      return .taken(Held(file: file, folder: folder))
    }
    throw refused("is replaced again and again")
  }

  /// Tries once together with others who only read. Makes nothing; where no run has left a lock there is none to take.
  func takeShared() throws(FileError) -> Attempt {
    for _ in 0..<20 {
      guard let folder = try openFolder() else { return .taken(Held()) }
      let file = try openForReading()
      if let file {
        guard try isPlain(file) else { continue }
        guard try lock(file, LOCK_SH) else { return .busy }
        guard stands(file) else { continue }
      }
      guard try lockFolder(folder, LOCK_SH) else { return .busy }
      return .taken(Held(file: file, folder: folder))
    }
    throw refused("is replaced again and again")
  }

  /// What the holder has written; empty when it cannot be read.
  func note() -> [UInt8] {
    guard let file = try? openForReading(), (try? isPlain(file)) == true else { return [] }
    var bytes = [UInt8](repeating: 0, count: LockHolder.longestNote)
    guard let count = try? file.fill(&bytes) else { return [] }
    return Array(bytes[..<count])
  }

  // MARK: Opening

  private var fullPath: [UInt8] { output + [UInt8(ascii: "/")] + LockFile.path }

  private func refused(_ reason: String) -> FileError { FileError(path: fullPath, operation: reason, errno: 0) }

  private func openForWriting(in folder: Descriptor) throws(SystemError) -> Descriptor {
    let flags = O_NOFOLLOW | O_NONBLOCK
    do {
      return try folder.open(LockFile.name[...], O_RDWR | O_CREAT | flags, mode: 0o666)
    } catch  where error.errno == EACCES {
      // Another user's run has made it. To lock it, it need not be written to; only the note will be missing.
      return try folder.open(LockFile.name[...], O_RDONLY | flags)
    }
  }

  private func openForReading() throws(FileError) -> Descriptor? {
    guard let folder = try openFolder() else { return nil }
    do {
      return try folder.open(LockFile.name[...], O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      if error.errno == ENOENT { return nil }
      throw error.errno == ELOOP ? refused(ScanJudge.linkReason) : error.about(fullPath, "cannot be opened")
    }
  }

  /// `.photo-ingest/`, if it is there.
  private func openFolder() throws(FileError) -> Descriptor? {
    do throws(SystemError) {
      return try Descriptor.open(path: output, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        .openFolder(OutputFolder.ownFolderName[...])
    } catch {
      if error.errno == ENOENT { return nil }
      throw error.errno == ELOOP ? refused(ScanJudge.linkReason) : error.about(fullPath, "cannot be opened")
    }
  }

  /// Whether the file still has its one name. Anything but a plain file of one name is refused: a note written to it
  /// would land elsewhere.
  private func isPlain(_ file: Descriptor) throws(FileError) -> Bool {
    let status: stat
    do {
      status = try file.status()
    } catch {
      throw error.about(fullPath, "cannot be looked at")
    }
    guard status.isRegular else { throw refused("is no regular file") }
    guard status.st_nlink < 2 else { throw refused("has a second name elsewhere") }
    return status.st_nlink == 1
  }

  // MARK: Locking

  /// False when somebody else holds it.
  private func lock(_ file: Descriptor, _ kind: Int32) throws(FileError) -> Bool {
    while flock(file.number, kind | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw SystemError.last.about(fullPath, LockFile.noLocks)
      }
    }
    return true
  }

  /// False when somebody else holds it. A folder that cannot be locked at all is as good as locked: see `Held`.
  private func lockFolder(_ folder: Descriptor, _ kind: Int32) throws(FileError) -> Bool {
    do {
      return try lock(folder, kind)
    } catch {
      return true
    }
  }

  static let noLocks =
    "cannot be locked, and without a lock two runs could meet there; the file system must support flock (on NFS: a lock "
    + "service, or the mount option local_lock=flock)"

  /// Whether the locked file is the one that everybody else finds, by the whole path.
  private func stands(_ file: Descriptor) -> Bool {
    guard let own = try? file.status(), let other = try? openForReading()?.status() else { return false }
    return FolderIdentity(own) == FolderIdentity(other)
  }
}
