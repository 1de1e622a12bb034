extension JSONWriter {
  /// One object as one line, with its LF.
  public static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    members(&writer)
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Writes an object of counts, in the order of their names' bytes.
  public mutating func counts(_ name: String, _ counts: [(String, Int)]) {
    key(name)
    beginObject()
    for (word, count) in counts.sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }) { member(word, count) }
    endObject()
  }
}
