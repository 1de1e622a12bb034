import Catalogue
import IngestCore

/// Says what a run does for one photo.
enum PlannedTurn {
  /// Nothing: its row is known and holds.
  case keep(KeptRow)
  /// It is read; a twin is what it may turn out to be, without being decoded again.
  case load(ReadReason, twin: PhotoTwin? = nil)
  /// It lies where the run cannot look: it keeps its place in the manifest, as one that cannot be read.
  case shelter(LoadFailure)
}

/// Holds what the run needs of a row that is known.
struct KeptRow {
  var line: KnownPhoto.LineID
  var status: AssetRow.Status
  var error: FailureCode?
  /// See `ThumbnailCensus.key`; nil without thumbnails.
  var thumbnailKey: UInt64?
  /// Only for the order `captured`.
  var captured: String?
}

/// Names a known photo that may have the content of one that is to be read: itself in an earlier state, or one that was
/// renamed. Only its checksum tells.
struct PhotoTwin: Sendable {
  var path: [UInt8]
  var line: KnownPhoto.LineID
}
