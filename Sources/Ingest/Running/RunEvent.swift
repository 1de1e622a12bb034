public import IngestCore

/// Tells what a run is doing. Text and JSON printers are fed with the same events.
///
/// Events come from several threads, one at a time for each kind; `asset` in index order, each after its `degraded`.
public enum RunEvent: Sendable {
  public enum Level: String, Sendable { case info, warning, error }

  /// The candidates are known and sorted.
  case scanned(count: Int)
  /// A stand-in came.
  case degraded(index: Int, path: RelativePath, preview: AssetRow.Preview)
  /// A turn is over, in turn order: for progress. A photo that is loaded once more at the end comes then.
  case progressed(finished: Int, of: Int, path: RelativePath, status: AssetRow.Status)
  /// A row has its place. `line` is the manifest's line, with its line end.
  case asset(line: [UInt8], row: RowSummary)
  /// A photo was read, and why; told before its `asset`, and by runs over an output folder that knows photos already. With a former path it was known by its content and not decoded.
  case read(path: RelativePath, reason: ReadReason, formerPath: RelativePath?)
  /// A photo of the last manifest is gone from the source, and so from the new one; told at the end.
  case vanished(path: RelativePath)
  /// A policy ended the run at another photo before this one's turn was over; what had been loaded of it is dropped.
  /// Told after everything that was settled, in turn order.
  case cancelled(path: RelativePath)
  case message(Level, String)
}
