internal import Glibc

/// Holds what a request sends: pieces of memory and of files, one after the other.
///
/// Its length is known before it is sent, and it can be sent again.
public struct HTTPBody: Sendable {
  /// One piece of what is sent.
  public enum Part: Sendable {
    /// Sent from memory as they are.
    case bytes([UInt8])
    /// Read while it is sent.
    case file(BodyFile)
  }

  /// In the order in which they are sent.
  public var parts: [Part]

  public init(_ parts: [Part]) {
    self.parts = parts
  }

  public init(_ bytes: [UInt8]) {
    parts = [.bytes(bytes)]
  }

  public init(_ file: BodyFile) {
    parts = [.file(file)]
  }

  /// In bytes.
  public var count: Int64 {
    parts.reduce(0) { sum, part in
      switch part {
      case .bytes(let bytes): sum + Int64(bytes.count)
      case .file(let file): sum + file.length
      }
    }
  }
}

/// Holds an open file, or a range of it, to be sent; it is read while it is sent, so memory stays small.
///
/// The descriptor is its own and is closed with the last copy. What the file was when this was made must still hold
/// when its last bytes go out: they are held back otherwise, so that no server takes half of an old and half of a new
/// file for a whole one.
public final class BodyFile: Sendable {
  let descriptor: Int32
  public let offset: Int64
  public let length: Int64
  let size: Int64
  /// Of the file, in nanoseconds.
  let modified: Int64
  let changed: Int64

  /// Takes over a descriptor that is open for reading, for all of its file; nil when that cannot be asked, or is no
  /// regular file, and then the descriptor is closed.
  public convenience init?(takingOver descriptor: Int32) {
    self.init(descriptor, range: nil)
  }

  /// Makes a descriptor of its own, for a range of the file; nil when that cannot be done or the range is not in it.
  public convenience init?(of descriptor: Int32, range: Range<Int64>? = nil) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    self.init(copy, range: range)
  }

  private init?(_ descriptor: Int32, range: Range<Int64>?) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    let size = Int64(status.st_size)
    let range = range ?? 0..<size
    guard range.lowerBound >= 0, range.upperBound <= size else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.size = size
    offset = range.lowerBound
    length = range.upperBound - range.lowerBound
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  deinit {
    close(descriptor)
  }

  /// Hands the bytes over, piece by piece, without moving the descriptor; false when the file does not have them all.
  public func read(_ take: ([UInt8]) -> Void) -> Bool {
    var done: Int64 = 0
    // One piece for all of it, small enough to stay in the processor's cache between the read and the digest.
    var piece = [UInt8](repeating: 0, count: Int(min(length, 1 << 17)))
    while done < length {
      let wanted = Int(min(length - done, Int64(piece.count)))
      let count = unsafe piece.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor, bytes.baseAddress, wanted, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      take(count == piece.count ? piece : Array(piece[..<count]))
      done += Int64(count)
    }
    return true
  }

  /// As the C library has it: seconds since 1970 as nanoseconds, wrapped like there.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
