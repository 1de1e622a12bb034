internal import Glibc
public import IngestCore

/// Reads one photo once: every byte goes through its SHA-256 on the way to the decoder.
///
/// Belongs to the thread that reads. Holds one descriptor until it is released. The file is read, never mapped: a
/// mapped file that shrinks meanwhile kills the process.
public final class SourceFile: ByteReading {
  public let path: RelativePath
  /// The state of the file when it was opened.
  public let identity: FileIdentity
  /// What ended the stream early; nil when it ended where the file does.
  public private(set) var error: FileError?
  /// How many bytes have been read, and so are in the checksum.
  public private(set) var bytesRead: UInt64 = 0

  private let folder: SourceFolder
  let descriptor: Descriptor
  private var digest = SHA256Digest()
  private var isAtEnd = false

  init(folder: SourceFolder, path: RelativePath, descriptor: Descriptor, identity: FileIdentity) {
    self.folder = folder
    self.path = path
    self.descriptor = descriptor
    self.identity = identity
    // A hint only: a larger read-ahead.
    _ = posix_fadvise(descriptor.number, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
  }

  public func read(into buffer: inout MutableRawSpan) -> Int {
    guard !isAtEnd else { return 0 }
    return unsafe buffer.withUnsafeMutableBytes { unsafe readNext(into: $0) }
  }

  func readNext(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isAtEnd, unsafe !buffer.isEmpty else { return 0 }
    do throws(SystemError) {
      let count = try unsafe descriptor.read(into: buffer)
      if count == 0 {
        isAtEnd = true
      } else {
        bytesRead += UInt64(count)
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
      }
      return count
    } catch {
      isAtEnd = true
      self.error = error.about(path.bytes, "cannot be read")
      return 0
    }
  }

  /// Reads what the decoder left, so that the checksum covers the whole file.
  ///
  /// Gives up after twice the size the file had: one that grows as fast as it is read is caught by `change`.
  public func drain() {
    guard !isAtEnd else { return }
    let limit = max(identity.size, 1 << 20).multipliedReportingOverflow(by: 2).partialValue
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    unsafe chunk.withUnsafeMutableBytes { buffer in
      while bytesRead <= limit, unsafe readNext(into: buffer) > 0 {}
    }
    isAtEnd = true
  }

  /// The SHA-256 of the whole file in lower-case hex; nil when it cannot be read, or when `goesOn` said no on the way.
  ///
  /// To be asked before anything was read.
  public func checksum(while goesOn: () -> Bool) -> String? {
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var isStopped = false
    unsafe chunk.withUnsafeMutableBytes { buffer in
      while !isStopped, bytesRead <= identity.size, unsafe readNext(into: buffer) > 0 { isStopped = !goesOn() }
    }
    return isStopped || error != nil ? nil : digest.snapshotHex()
  }

  /// The SHA-256 of the file in lower-case hex; reads the rest first. Says nothing when `error` is set.
  public func finishChecksum() -> String {
    drain()
    return digest.snapshotHex()
  }

  /// What may happen to a file while it is read.
  public enum Change: Sendable, Hashable {
    /// It was written to, cut, or grew; or that can no longer be told.
    case changed
    /// Another file has taken its name.
    case replaced
    /// Nothing has its name any more.
    case vanished
  }

  /// What has happened to the file since it was opened, to be asked after the last read; nil when nothing.
  public func change() -> Change? {
    do throws(FileError) {
      let named = try folder.status(of: path)
      guard FolderIdentity(named) == identity.file else { return .replaced }
    } catch {
      return error.isVanished ? .vanished : .changed
    }
    guard let now = try? descriptor.status(), FileIdentity(now) == identity else { return .changed }
    return isAtEnd && error == nil && bytesRead != identity.size ? .changed : nil
  }

  /// Says that another process could not read the file.
  public func readFailure(errorNumber: Int32) -> FileError {
    SystemError(errno: errorNumber).about(path.bytes, "cannot be read")
  }

  /// The descriptor, for a decoder process that reads in this one's stead from where the file stands.
  public var descriptorNumber: Int32 { descriptor.number }

  /// Goes back to the first byte, for another process to read from.
  public func rewind() {
    _ = lseek(descriptor.number, 0, SEEK_SET)
  }

  /// What has happened to the file since it was opened, when another process has read `count` bytes of it.
  public func change(whenRead count: UInt64) -> Change? {
    isAtEnd = true
    bytesRead = count
    return change()
  }

  /// Waits until a later change of the file would show in its ctime; to be called after the last read, before `change`.
  ///
  /// The kernel's clock for files goes in steps of up to 10 ms: a file that was written just now could be written again
  /// without a trace. Costs nothing for older files, and 20 ms at most.
  public func awaitLaterTimes() {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return }
    let step: Int64 = 20_000_000
    let seconds = Int64(now.tv_sec).subtractingReportingOverflow(identity.changedSeconds)
    guard !seconds.overflow, (0...1).contains(seconds.partialValue) else { return }
    let age = seconds.partialValue * 1_000_000_000 + Int64(now.tv_nsec) - Int64(identity.changedNanoseconds)
    if (0..<step).contains(age) { usleep(UInt32((step - age) / 1000)) }
  }

  /// Whether what was read may not be what the file holds now.
  public func hasChanged() -> Bool { change() != nil }
}
