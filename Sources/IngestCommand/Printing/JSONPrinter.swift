import Ingest
import IngestCore

/// Tells programs what a run does: one JSON object a line, keys sorted, each with its `record` (interface version 1).
struct JSONPrinter: RunPrinting {
  let output: any ByteOutput

  func hear(_ event: RunEvent, of album: Album?) {
    let name = album?.name
    switch event {
    case .scanned(let count):
      record(of: name) { writer in
        writer.member("count", count)
        writer.member("record", "scan")
      }
    case .degraded(let index, let path, let preview):
      degraded(index: index, path: path, preview: preview, of: name)
    case .progressed: break
    case .cancelled(let path):
      record(of: name) { writer in
        writer.path(path)
        writer.member("record", "cancelled")
      }
    case .asset(let line, _): output.write(Self.row(line, of: name))
    case .read(let path, let reason, let formerPath):
      record(of: name) { writer in
        writer.path(path)
        writer.member("reason", reason.rawValue)
        writer.member("record", "read")
        if let formerPath { writer.path(formerPath, key: "was") }
      }
    case .vanished(let path):
      record(of: name) { writer in
        writer.path(path)
        writer.member("record", "vanished")
      }
    case .message(let level, let text):
      message(level, text, of: name)
    }
  }

  func hear(endOf result: AlbumResult) {
    let code = ExitCode(result).rawValue
    switch result.outcome {
    case .success(let summary):
      self.summary(code: code, work: summary, of: result)
    case .failure(let error):
      message(.error, error.sentence, of: result.album.name)
      self.summary(code: code, stop: error, of: result)
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    let code = ending.shown
    switch outcome {
    case .run(let summary): self.summary(code: code, work: summary)
    case .albums(let albums):
      if let fault = albums.fault { message(.error, fault.sentence) }
      summary(code: code, albums)
    case .listed(let listing):
      summary(code: code, leftOut: listing.leftOut, unreadable: listing.unreadableFolders)
    case .albumsListed(let listings):
      for listing in listings {
        if case .failure(let error) = listing.outcome { message(.error, error.sentence, of: listing.album.name) }
      }
      let done = listings.compactMap { try? $0.outcome.get() }
      summary(
        code: code, leftOut: done.map(\.leftOut).summed, unreadable: done.reduce(0) { $0 + $1.unreadableFolders })
    case .skipped(let error):
      message(.info, error.sentence + "; nothing was done")
      summary(code: code)
    case .failed(let error):
      message(.error, error.sentence)
      summary(code: code, stop: error)
    case .usage(let error):
      message(.error, error.sentence)
      summary(code: code)
    case .done, .checked, .albumsChecked, .published, .inspected: break
    }
  }

  func candidate(_ path: RelativePath, of album: Album? = nil) {
    record(of: album?.name) { writer in
      writer.path(path)
      writer.member("record", "candidate")
    }
  }

  func degraded(index: Int, path: RelativePath, preview: AssetRow.Preview, of album: RelativePath? = nil) {
    record(of: album) { writer in
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

  func message(_ level: RunEvent.Level, _ text: String, of album: RelativePath? = nil) {
    record(of: album) { writer in
      writer.member("level", level.rawValue)
      writer.member("record", "message")
      writer.member("text", text)
    }
  }

  // MARK: Summaries

  /// The record of one album's end, or the last of all. Absent means unknown: a run that did not complete has no totals.
  private func summary(
    code: Int32, leftOut: [String: Int]? = nil, unreadable: Int? = nil, work: RunSummary? = nil, stop: RunError? = nil,
    of result: AlbumResult? = nil
  ) {
    record(of: result?.album.name) { writer in
      if case .stoppedByPolicy(let photo, let failure, _, let cancelled)? = stop {
        writer.member("cancelled", cancelled)
        writer.key("cause")
        writer.beginObject()
        writer.member("code", failure.code.rawValue)
        writer.member("message", failure.message)
        writer.path(photo)
        writer.endObject()
      }
      result?.writeOutcome(to: &writer)
      writer.member("exit_code", code)
      if let leftOut = leftOut ?? work?.leftOut { writer.counts("left_out", leftOut.map { ($0.key, $0.value) }) }
      if let unasked = work?.unasked, unasked > 0 { writer.member("no_longer_asked_for", unasked) }
      if let pruned = work?.pruned, pruned > 0 { writer.member("pruned", pruned) }
      let hasFigures = (work?.unchanged ?? 0) + (work?.vanishedCount ?? 0) > 0 || work?.reads.isEmpty == false
      if let work, hasFigures { writer.counts("read", work.reads.map { ($0.key.rawValue, $0.value) }) }
      writer.member("record", result == nil ? "summary" : "album")
      writer.member("seconds", work.map { Self.seconds($0.elapsed) })
      writer.member("succeeded", result?.succeeded)
      if let work { writer.counts("totals", work.totals) }
      writer.member("unchanged", hasFigures ? work?.unchanged : nil)
      writer.member("unreadable_folders", unreadable ?? work?.unreadableFolders)
      writer.member("vanished", hasFigures ? work?.vanishedCount : nil)
    }
  }

  /// The last record of a run over several folders; the figures are sums over the albums that are complete.
  private func summary(code: Int32, _ albums: AlbumsSummary) {
    let done = albums.summaries
    let failed = albums.results.count { !$0.succeeded }
    record { writer in
      writer.counts("albums", [("failed", failed), ("succeeded", albums.results.count - failed)])
      writer.member("exit_code", code)
      writer.counts("left_out", done.map(\.leftOut).summed.map { ($0.key, $0.value) })
      writer.member("record", "summary")
      writer.member("seconds", Self.seconds(albums.elapsed))
      writer.member("succeeded", albums.succeeded)
      writer.counts("totals", albums.totals)
      writer.member("unreadable_folders", done.reduce(0) { $0 + $1.unreadableFolders })
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    (Counted.seconds(duration) * 1000).rounded() / 1000
  }

  // MARK: Lines

  /// Writes one object as one line, in one piece: events come from several threads. The keys of a record lie behind
  /// `album` in their order.
  private func record(of album: RelativePath? = nil, _ members: (inout JSONWriter) -> Void) {
    output.write(
      JSONWriter.line { writer in
        if let album { writer.path(album, key: "album") }
        members(&writer)
      })
  }

  /// A manifest's line with the album's name in front.
  private static func row(_ line: [UInt8], of album: RelativePath?) -> [UInt8] {
    guard let album, line.first == UInt8(ascii: "{") else { return line }
    var writer = JSONWriter()
    writer.beginObject()
    writer.path(album, key: "album")
    return writer.bytes + [ASCII.comma] + line.dropFirst()
  }
}

extension [[String: Int]] {
  /// The sums of the counts of each word.
  var summed: [String: Int] {
    reduce(into: [:]) { sums, counts in sums.merge(counts, uniquingKeysWith: +) }
  }
}
