internal import Glibc

/// Reads what a user hands over whole: a list of names, a configuration.
public enum InputStream {
  /// All bytes of a file, or of standard input when `path` is nil.
  ///
  /// More than `limit` bytes are refused with EFBIG, so that `--files-from /dev/zero` ends.
  public static func readAll(_ path: [UInt8]?, limit: Int = 1 << 30) throws(StreamError) -> [UInt8] {
    guard let path else { return try read(0, path: [], limit: limit) }
    let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw StreamError(path: path, operation: "cannot be opened", errno: errno) }
    defer { close(descriptor) }
    return try read(descriptor, path: path, limit: limit)
  }

  private static func read(_ descriptor: Int32, path: [UInt8], limit: Int) throws(StreamError) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return all }
      if count < 0 {
        if errno == EINTR { continue }
        throw StreamError(path: path, operation: "cannot be read", errno: errno)
      }
      guard all.count + count <= limit else { throw StreamError(path: path, operation: "cannot be read", errno: EFBIG) }
      all += chunk[..<count]
    }
  }
}
