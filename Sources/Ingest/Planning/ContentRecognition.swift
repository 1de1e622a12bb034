import Catalogue
import IngestCore
import IngestFiles
import PhotoCodecs

/// Knows photos again by their content, so that one which was touched, renamed or moved is read but not decoded.
///
/// Safe from every thread. What it gives is what a fresh load would have given, byte for byte: all but name, time and
/// extension of a row that is not a failure comes from the photo's bytes.
final class ContentRecognition: Sendable {
  private let twins: [[UInt8]: PhotoTwin]
  private let catalogue: Catalogue
  private let output: OutputFolder
  private let folder: SourceFolder
  /// A photo that takes longer to read has no time left for being decoded, should it be another one.
  private static let patience = Duration.seconds(4)

  init(_ twins: [[UInt8]: PhotoTwin], catalogue: Catalogue, output: OutputFolder, folder: SourceFolder) {
    self.twins = twins
    self.catalogue = catalogue
    self.output = output
    self.folder = folder
  }

  /// Whether a photo is worth a comparison. Reads nothing.
  func mayKnow(_ path: RelativePath) -> Bool { twins[path.bytes] != nil }

  /// Reads a photo that may be known and compares its checksum; nil when it has to be loaded.
  func recognise(_ path: RelativePath, thumbnails store: ThumbnailStore?, isCancelled: () -> Bool) -> LoadedPhoto? {
    guard let twin = twins[path.bytes], let line = try? catalogue.line(twin.line),
      var row = AssetRow(line: line.bytes), let sha256 = row.sha256, row.status != .failed,
      let file = try? folder.open(path), file.identity.size == row.bytes
    else { return nil }
    let start = ContinuousClock.now
    let checksum = file.checksum { !isCancelled() && ContinuousClock.now - start < Self.patience }
    file.awaitLaterTimes()
    guard checksum == sha256, file.change() == nil, let thumbnails = thumbnails(of: row) else { return nil }

    row.path = path
    row.modified = file.identity.modifiedRFC3339
    row.noteExtension(of: row.format.flatMap { PhotoFormat(rawValue: $0) })
    row.thumbnails = []
    // The run keeps these anew.
    row.original = nil
    row.sideFiles = []
    row.notes.remove("side-file-left-out")
    var photo = LoadedPhoto(row: row, thumbnails: [])
    photo.identity = file.identity
    photo.formerPath = twin.path == path.bytes ? nil : RelativePath(twin.path)
    if let store, !thumbnails.isEmpty {
      photo.deposit = ThumbnailDeposit(thumbnails, of: path, sha256: sha256, in: store)
    } else {
      photo.thumbnails = thumbnails
    }
    return photo
  }

  /// The pictures that a row lists; nil when one of them is not what was written.
  private func thumbnails(of row: AssetRow) -> [EncodedThumbnail]? {
    var thumbnails: [EncodedThumbnail] = []
    for listed in row.thumbnails {
      guard let jpeg = output.content(of: listed.path, count: listed.bytes),
        SHA256Digest.hex(of: jpeg) == listed.sha256
      else { return nil }
      thumbnails.append(
        EncodedThumbnail(size: listed.size, width: listed.width, height: listed.height, jpeg: jpeg))
    }
    return thumbnails
  }
}
