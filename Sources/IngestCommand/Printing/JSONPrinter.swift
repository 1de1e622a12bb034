import Ingest
import IngestCore

/// Tells programs what a run does: one JSON object a line, keys sorted, each with its `record` (interface version 1).
struct JSONPrinter: RunPrinting {
  let output: any ByteOutput

  func hear(_ event: RunEvent) {
    switch event {
    case .scanned(let count):
      record { writer in
        writer.member("count", count)
        writer.member("record", "scan")
      }
    case .degraded(let index, let path, let preview):
      degraded(index: index, path: path, preview: preview)
    case .progressed: break
    case .cancelled(let path):
      record { writer in
        writer.path(path)
        writer.member("record", "cancelled")
      }
    case .asset(let line, _): output.write(line)
    case .read(let path, let reason, let formerPath):
      record { writer in
        writer.path(path)
        writer.member("reason", reason.rawValue)
        writer.member("record", "read")
        if let formerPath { writer.path(formerPath, key: "was") }
      }
    case .vanished(let path):
      record { writer in
        writer.path(path)
        writer.member("record", "vanished")
      }
    case .message(let level, let text):
      message(level, text)
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    switch outcome {
    case .run(let summary):
      self.summary(
        ending: ending, leftOut: summary.leftOut, seconds: Counted.seconds(summary.elapsed), totals: summary.totals,
        unreadable: summary.unreadableFolders, work: summary)
    case .listed(let summary):
      self.summary(ending: ending, leftOut: summary.leftOut, unreadable: summary.unreadableFolders)
    case .skipped(let error):
      message(.info, error.sentence + "; nothing was done")
      summary(ending: ending)
    case .failed(let error):
      message(.error, error.sentence)
      if case .stoppedByPolicy(let photo, let failure, _, let cancelled) = error {
        summary(ending: ending, stop: (photo, failure, cancelled))
      } else {
        summary(ending: ending)
      }
    case .usage(let error):
      message(.error, error.sentence)
      summary(ending: ending)
    case .done, .checked, .published, .inspected: break
    }
  }

  func candidate(_ path: RelativePath) {
    record { writer in
      writer.path(path)
      writer.member("record", "candidate")
    }
  }

  func degraded(index: Int, path: RelativePath, preview: AssetRow.Preview) {
    record { writer in
      writer.member("index", index)
      writer.path(path)
      writer.key("preview")
      writer.beginObject()
      writer.member("height", preview.height)
      writer.member("source", preview.source.rawValue)
      writer.member("width", preview.width)
      writer.endObject()
      writer.member("record", "degraded")
    }
  }

  func message(_ level: RunEvent.Level, _ text: String) {
    record { writer in
      writer.member("level", level.rawValue)
      writer.member("record", "message")
      writer.member("text", text)
    }
  }

  /// The last record. Absent means unknown: a run that did not complete has no totals.
  private func summary(
    ending: Ending, leftOut: [String: Int]? = nil, seconds: Double? = nil, totals: ManifestTotals? = nil,
    unreadable: Int? = nil, work: RunSummary? = nil,
    stop: (photo: RelativePath, failure: LoadFailure, cancelled: Int)? = nil
  ) {
    record { writer in
      if let stop {
        writer.member("cancelled", stop.cancelled)
        writer.key("cause")
        writer.beginObject()
        writer.member("code", stop.failure.code.rawValue)
        writer.member("message", stop.failure.message)
        writer.path(stop.photo)
        writer.endObject()
      }
      writer.member("exit_code", ending.shown)
      if let leftOut { writer.counts("left_out", leftOut.map { ($0.key, $0.value) }) }
      if let unasked = work?.unasked, unasked > 0 { writer.member("no_longer_asked_for", unasked) }
      if let pruned = work?.pruned, pruned > 0 { writer.member("pruned", pruned) }
      let hasFigures = (work?.unchanged ?? 0) + (work?.vanishedCount ?? 0) > 0 || work?.reads.isEmpty == false
      if let work, hasFigures { writer.counts("read", work.reads.map { ($0.key.rawValue, $0.value) }) }
      writer.member("record", "summary")
      writer.member("seconds", seconds.map { ($0 * 1000).rounded() / 1000 })
      if let totals {
        writer.key("totals")
        writer.beginObject()
        writer.member("assets", totals.assets)
        writer.member("damaged", totals.damaged)
        writer.member("failed", totals.failed)
        writer.member("verified", totals.verified)
        writer.endObject()
      }
      writer.member("unchanged", hasFigures ? work?.unchanged : nil)
      writer.member("unreadable_folders", unreadable)
      writer.member("vanished", hasFigures ? work?.vanishedCount : nil)
    }
  }

  /// Writes one object as one line, in one piece: events come from several threads.
  private func record(_ members: (inout JSONWriter) -> Void) {
    output.write(JSONWriter.line(members))
  }
}
