internal import Glibc
public import IngestCore

/// Reads a photo from a descriptor that came from another process, every byte through its SHA-256.
///
/// Belongs to one thread. Owns the descriptor.
public final class DescriptorReading: ByteReading {
  private let descriptor: Descriptor
  private var digest = SHA256Digest()
  private var isAtEnd = false
  /// How many bytes have been read, and so are in the checksum.
  public private(set) var bytesRead: UInt64 = 0
  /// The error that ended the stream early, or 0.
  public private(set) var errorNumber: Int32 = 0

  public init(owning number: Int32) {
    descriptor = Descriptor(owning: number)
    // A hint only: a larger read-ahead.
    _ = posix_fadvise(number, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
  }

  public func read(into buffer: inout MutableRawSpan) -> Int {
    guard !isAtEnd else { return 0 }
    return unsafe buffer.withUnsafeMutableBytes { room in
      do throws(SystemError) {
        let count = try unsafe descriptor.read(into: room)
        isAtEnd = count == 0
        bytesRead += UInt64(count)
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: room[..<count]).bytes)
        return count
      } catch {
        isAtEnd = true
        errorNumber = error.errno
        return 0
      }
    }
  }

  /// The SHA-256 of what was read, in lower-case hex.
  public func checksum() -> String { digest.snapshotHex() }
}
