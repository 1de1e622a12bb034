/// Reads a small file that the user named: a list of names, a configuration.
public enum UserFile {
  /// Returns the whole content of the file at `path` (exact bytes; `-` is standard input), at most `limit` bytes.
  public static func bytes(of path: [UInt8], limit: Int = 256 << 20) throws(RunError) -> [UInt8] {
    throw .cancelled
  }
}
