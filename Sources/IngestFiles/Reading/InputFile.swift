internal import Glibc

/// Reads one file of ours from front to back, a piece at a time.
///
/// Belongs to one thread. Holds one descriptor.
public final class InputFile {
  private let path: [UInt8]
  private let descriptor: Descriptor
  private static let pieceSize = 256 << 10

  private init(path: [UInt8], descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a regular file by a path as a user gave it.
  public static func open(_ path: [UInt8]) throws(FileError) -> InputFile {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      guard try descriptor.status().isRegular else { throw SystemError(errno: EINVAL) }
      return InputFile(path: path, descriptor: descriptor)
    } catch {
      throw error.about(path, "cannot be read")
    }
  }

  /// The next bytes; none at the end.
  public func next() throws(FileError) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: InputFile.pieceSize)
    do {
      let count = try descriptor.fill(&piece)
      piece.removeLast(piece.count - count)
      return piece
    } catch {
      throw error.about(path, "cannot be read")
    }
  }
}
