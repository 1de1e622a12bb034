/// Says why a photo is read though an earlier run may have read it. The raw values are the words of the report.
public enum ReadReason: String, Sendable, CaseIterable {
  /// Nothing is known of it.
  case new
  /// Its size is another one.
  case size
  /// It has the same size, but was written to, or something about it was changed: mtime or ctime is another one.
  case modified
  /// Another file has its name.
  case replaced
  /// It was read with options that make other rows or thumbnails.
  case options
  /// A thumbnail of it, or its kept original, is missing.
  case outputMissing = "output-missing"
  /// It could not be read, or was not verified and is to be tried again.
  case retry
  /// Everything is to be read.
  case forced
}
