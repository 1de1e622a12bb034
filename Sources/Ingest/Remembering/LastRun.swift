import IngestCore
import IngestFiles

/// Is the report of the last run: `DIR/.photo-ingest/last-run.json`, one JSON object.
///
/// For people and for the next run, which learns from it whether the set of bad photos has changed. A run that does not
/// complete keeps what the last complete one has left. Which photos were read, and why, stands in `ReadList`.
struct LastRun {
  static let fileName = ".photo-ingest/last-run.json"
  /// The mark of a run after which nothing was wrong.
  static let noProblems = "none"

  /// See `Settlement.Result.problemMark`.
  var problemMark = Self.noProblems
  /// The options of the rows in the manifest, in the words of `RowRecipe`; nil when no run has completed.
  var options: String?
  /// When a run last completed, in seconds since 1970; nil when none is known to have.
  var lastSuccess: Double?

  /// What the last run has left in an output folder; the state of a first run when there is nothing to be read.
  init(below output: OutputFolder) {
    guard let file = try? InputFile.open(output.path + "/\(Self.fileName)".utf8), let bytes = try? file.next(),
      let value = try? JSONReader().read(bytes)
    else { return }
    problemMark = value["problems"]?.stringValue ?? Self.noProblems
    options = value["options"]?.stringValue
    lastSuccess = value["last_success"]?.doubleValue
  }

  /// Writes the report of a complete run.
  func keep(_ summary: RunSummary, in output: OutputFolder) throws(FileError) {
    let ended = WallClock.now.seconds
    try write(to: output) { writer in
      writer.member("bytes_read", summary.bytesRead)
      writer.member("complete", true)
      writer.member("ended", ended)
      // The code of a run that nobody has stopped.
      writer.member("exit_code", summary.isAllVerified ? 0 : 3)
      writer.member("last_success", ended)
      writer.counts("left_out", summary.leftOut.map { ($0.key, $0.value) })
      writer.member("options", options)
      writer.member("problems", problemMark)
      writer.member("problems_changed", summary.problemsChanged)
      writer.counts("read", summary.reads.map { ($0.key.rawValue, $0.value) })
      writer.member("record", "last-run")
      writer.member("seconds", summary.elapsed.seconds)
      writer.counts("totals", summary.totals)
      writer.member("unchanged", summary.unchanged)
      writer.member("unreadable_folders", summary.unreadableFolders)
      writer.member("vanished", summary.vanishedCount)
      writer.member("wrote_nothing", summary.wroteNothing)
    }
  }

  /// Writes the report of a run that did not complete.
  func keep(_ error: RunError, after elapsed: Duration, in output: OutputFolder) throws(FileError) {
    try write(to: output) { writer in
      writer.member("complete", false)
      writer.member("ended", WallClock.now.seconds)
      writer.member("error", error.word)
      if case .cancelled = error {} else { writer.member("exit_code", 1) }
      if let lastSuccess { writer.member("last_success", lastSuccess) }
      writer.member("options", options)
      writer.member("problems", problemMark)
      writer.member("record", "last-run")
      writer.member("seconds", elapsed.seconds)
    }
  }

  private func write(to output: OutputFolder, _ members: (inout JSONWriter) -> Void) throws(FileError) {
    try output.write(JSONWriter.line(members), to: Self.fileName)
  }
}

extension Duration {
  /// In seconds, to the millisecond.
  fileprivate var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000
  }
}
