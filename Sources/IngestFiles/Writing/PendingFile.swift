internal import Glibc
internal import Synchronization

/// Takes a file piece by piece under a temporary name and gives it its final name in one step.
///
/// Safe from every thread, one call at a time. Abandoned when it is released without `commit`.
public final class PendingFile: Sendable {
  /// The final path for messages.
  public let path: [UInt8]
  private let folder: Descriptor
  private let name: [UInt8]
  private let state: Mutex<State>

  /// What changes while bytes come; guarded by the lock.
  private struct State: ~Copyable {
    /// Nil after the end.
    var temporary: TemporaryFile?
    /// The first failure; every later call has it again.
    var failure: SystemError?

    func open() throws(SystemError) -> TemporaryFile {
      guard let temporary else { throw failure ?? SystemError(errno: EBADF) }
      return temporary
    }
    var buffer: [UInt8] = []
    var digest = SHA256Digest()
    var count: UInt64 = 0
  }

  private static let bufferSize = 64 << 10

  init(path: [UInt8], temporaryFolder: Descriptor, folder: Descriptor, name: [UInt8]) throws(FileError) {
    self.path = path
    self.folder = folder
    self.name = name
    do {
      state = Mutex(State(temporary: try TemporaryFile.make(in: temporaryFolder)))
    } catch {
      throw error.about(path, "cannot be written")
    }
  }

  /// Begins a file anywhere, for a name that a user gave; its temporary file lies beside it.
  ///
  /// A name that has something other than a regular file under it is refused: renaming over a device would end it.
  public static func beside(_ path: [UInt8]) throws(FileError) -> PendingFile {
    let nameStart = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let parent = nameStart == 0 ? [UInt8(ascii: ".")] : Array(path[..<nameStart])
    let folder: Descriptor
    do {
      folder = try Descriptor.open(path: parent, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
    } catch {
      throw error.about(path, "cannot be written")
    }
    if let there = try? folder.status(of: path[nameStart...]), !there.isRegular {
      throw FileError(path: path, operation: "is there and is no regular file", errno: 0)
    }
    return try PendingFile(path: path, temporaryFolder: folder, folder: folder, name: Array(path[nameStart...]))
  }

  /// Adds bytes at the end. After a failure the file is dropped, and every later call fails for the same reason.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in
        let temporary = try state.open()
        state.digest.update(bytes)
        state.count += UInt64(bytes.count)
        state.buffer += bytes
        if state.buffer.count >= PendingFile.bufferSize {
          try temporary.descriptor.write(state.buffer[...])
          state.buffer.removeAll(keepingCapacity: true)
        }
      }
    } catch {
      throw failed(error)
    }
  }

  /// Lets everybody read the file (mode 0644), whatever the umask says.
  public func openToReaders() throws(FileError) {
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in
        let temporary = try state.open()
        guard fchmod(temporary.descriptor.number, 0o644) == 0 else { throw SystemError.last }
      }
    } catch {
      throw failed(error)
    }
  }

  /// The SHA-256 of all bytes so far, in lower-case hex.
  public var checksum: String { state.withLock { $0.digest.snapshotHex() } }

  /// How many bytes were added so far.
  public var count: UInt64 { state.withLock { $0.count } }

  /// Makes the content durable, gives it the final name and makes that durable too.
  ///
  /// A file that holds these bytes already is left alone with its times.
  public func commit() throws(FileError) {
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in
        let temporary = try state.open()
        state.temporary = nil
        if folder.holds(checksum: state.digest.snapshotHex(), size: state.count, under: name[...]) {
          temporary.remove()
        } else {
          try temporary.descriptor.write(state.buffer[...])
          try temporary.descriptor.synchronize()
          try temporary.rename(to: folder, name[...])
        }
        try folder.synchronize()
      }
    } catch {
      throw failed(error)
    }
  }

  /// Drops everything; the final name keeps what it had. Does nothing after `commit`.
  public func abandon() {
    state.withLock { $0.temporary = nil }
  }

  private func failed(_ error: SystemError) -> FileError {
    state.withLock { state in
      // Why it was dropped, for whoever asks only at the end.
      if state.temporary != nil { state.failure = error }
      state.temporary = nil
    }
    return error.about(path, "cannot be written")
  }
}
