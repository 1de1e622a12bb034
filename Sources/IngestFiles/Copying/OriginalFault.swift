/// Says why an original did not come into the archive.
public enum OriginalFault: Error, Sendable {
  /// The source does not hold what its checksum says any more, or cannot be read any more.
  case source(FileError)
  /// The output folder cannot be written, or gave back something else than was written.
  case output(FileError)
}
