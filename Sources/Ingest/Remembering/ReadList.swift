import IngestCore
import IngestFiles

/// Writes down which photos the run has read and why, and which are gone: `DIR/.photo-ingest/last-run-photos.jsonl`.
///
/// One object a line, in the order in which it was told: `{"path":"a.jpg","reason":"new","record":"read"}`, with `was` where
/// the photo was known again under another name, and `{"path":"b.jpg","record":"vanished"}`. Safe from every thread.
final class ReadList: Sendable {
  static let fileName = ".photo-ingest/last-run-photos.jsonl"

  private let file: PendingFile

  init(below output: OutputFolder) throws(FileError) {
    file = try output.beginFile(Self.fileName)
  }

  func hear(_ event: RunEvent) throws(FileError) {
    guard let line = Self.line(of: event) else { return }
    try file.append(line)
  }

  /// Gives the list its name, in the place of the last run's.
  func commit() throws(FileError) {
    try file.commit()
  }

  static func line(of event: RunEvent) -> [UInt8]? {
    var writer = JSONWriter()
    writer.beginObject()
    switch event {
    case .read(let path, let reason, let formerPath):
      writer.path(path)
      writer.member("reason", reason.rawValue)
      writer.member("record", "read")
      if let formerPath { writer.path(formerPath, key: "was") }
    case .vanished(let path):
      writer.path(path)
      writer.member("record", "vanished")
    case .scanned, .degraded, .progressed, .asset, .cancelled, .message: return nil
    }
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }
}
