internal import Glibc
internal import IngestCore

/// Keeps rows on disk until their place is known, so that memory does not grow with the photos.
///
/// Safe from every thread. The file has no name: whatever happens, nothing of it stays.
public final class SpoolFile: Sendable {
  private let descriptor: Descriptor
  private let state = Guarded(State())

  /// What is not on disk yet; guarded by the lock.
  private struct State {
    var buffer: [UInt8] = []
    var written: UInt64 = 0
  }

  private static let bufferSize = 64 << 10
  private static let name = Array(".photo-ingest/spool".utf8)

  init(folder: Descriptor) throws(FileError) {
    do {
      let temporary = try TemporaryFile.make(in: folder)
      temporary.remove()
      descriptor = temporary.descriptor
    } catch {
      throw error.about(SpoolFile.name, "cannot be written")
    }
  }

  /// How many bytes were added.
  public var count: UInt64 { state.withLock { $0.written + UInt64($0.buffer.count) } }

  /// Adds bytes at the end and returns where they begin.
  @discardableResult
  public func append(_ bytes: [UInt8]) throws(FileError) -> UInt64 {
    do {
      return try state.withLock { state throws(SystemError) in
        let offset = state.written + UInt64(state.buffer.count)
        state.buffer += bytes
        if state.buffer.count >= SpoolFile.bufferSize { try flush(&state) }
        return offset
      }
    } catch {
      throw error.about(SpoolFile.name, "cannot be written")
    }
  }

  /// The bytes of a range that was added before; a range that was not is EINVAL.
  public func read(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
    do {
      return try state.withLock { state throws(SystemError) in
        let end = offset.addingReportingOverflow(UInt64(max(0, count)))
        guard count >= 0, !end.overflow, end.partialValue <= state.written + UInt64(state.buffer.count) else {
          throw SystemError(errno: EINVAL)
        }
        if end.partialValue > state.written { try flush(&state) }
        return try bytes(at: offset, count: count)
      }
    } catch {
      throw error.about(SpoolFile.name, "cannot be read")
    }
  }

  private func flush(_ state: inout State) throws(SystemError) {
    try descriptor.write(state.buffer[...])
    state.written += UInt64(state.buffer.count)
    state.buffer.removeAll(keepingCapacity: true)
  }

  /// Reads without moving the place where the next bytes go.
  private func bytes(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe result.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor.number, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
          off_t(offset) + off_t(filled))
      }
      if got > 0 {
        filled += got
      } else if got == 0 {
        throw SystemError(errno: EIO)
      } else if errno != EINTR {
        throw SystemError.last
      }
    }
    return result
  }
}
