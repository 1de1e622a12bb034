import IngestCore
public import IngestFiles

/// Remembers under an output folder which source folder its last run has read: `DIR/.photo-ingest/source`.
///
/// One line of JSON: `{"device":2049,"path":"/srv/photos"}`, and `path_b64` with the exact bytes where `path` is not
/// exact. Nobody needs it to read the manifest.
public struct RememberedSource: Sendable, Hashable {
  /// Below the output folder.
  public static let fileName = ".photo-ingest/source"
  private static let longestFile = 64 << 10

  /// The folder's path as exact bytes; absolute unless the run could not learn where it stood.
  public var path: [UInt8]
  /// The device that held the folder.
  public var device: UInt64

  public init(path: [UInt8], device: UInt64) {
    self.path = path
    self.device = device
  }

  public init(_ folder: SourceFolder) {
    self.init(path: folder.absolutePath, device: folder.identity.device)
  }

  /// What a file of this kind says; nil when it is none.
  public init?(_ bytes: [UInt8]) {
    guard let value = try? JSONReader().read(bytes), let device = value["device"]?.integerValue,
      let shown = value["path"]?.stringValue
    else { return nil }
    let exact = value["path_b64"]?.stringValue.map { Base64.decode($0) } ?? Array(shown.utf8)
    guard let exact, !exact.isEmpty, !exact.contains(0) else { return nil }
    self.init(path: exact, device: UInt64(bitPattern: device))
  }

  /// What the last run over an output folder has remembered; nil when there is nothing to be read.
  public static func read(below output: [UInt8]) -> RememberedSource? {
    guard let file = try? InputFile.open(output + "/\(fileName)".utf8), let bytes = try? file.next(),
      bytes.count <= longestFile
    else { return nil }
    return RememberedSource(bytes)
  }

  /// The content of the file.
  public var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("device", Int64(bitPattern: device))
    writer.path(RelativePath(path))
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Keeps it in an output folder; a file that says the same already is left alone.
  func write(to output: OutputFolder) throws(FileError) {
    try output.write(encoded, to: Self.fileName)
  }
}
