import Ingest
import IngestCore

/// Words what a finished run has to say to people.
struct SummaryText {
  let palette: Palette
  let place: RunPlace

  /// Every line, in reading order: the totals, the photos to look at, what was left out, where the results lie.
  func lines(_ summary: RunSummary) -> [String] {
    [totals(summary.totals)] + listed(.damaged, summary) + listed(.failed, summary) + more(summary) + ending(summary)
  }

  private func ending(_ summary: RunSummary) -> [String] {
    read(summary) + vanished(summary) + unasked(summary) + pruned(summary) + leftOut(summary.leftOut)
      + unreadable(summary.unreadableFolders)
      + [results, pace(summary)]
  }

  /// Why photos were read, on a run that knew some: `read: 2 new, 1 modified; 40 unchanged`.
  private func read(_ summary: RunSummary) -> [String] {
    guard summary.unchanged > 0 || summary.knewPhotos else { return [] }
    let parts = summary.reads.filter { $0.value > 0 }
      .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.value) \($0.key.rawValue)" }
    let unchanged = summary.unchanged > 0 ? ["\(summary.unchanged) unchanged"] : []
    guard !parts.isEmpty else { return unchanged.map { "nothing was read: " + $0 } }
    return ["read: " + ([parts.joined(separator: ", ")] + unchanged).joined(separator: "; ")]
  }

  private func vanished(_ summary: RunSummary) -> [String] {
    guard summary.vanishedCount > 0 else { return [] }
    let more = summary.vanishedCount - summary.vanished.count
    return ["gone from the source, and so from the manifest:"]
      + summary.vanished.map { "  " + SafeText.cleaned($0.display) } + (more > 0 ? ["  and \(more) more"] : [])
  }

  /// They are there; the filters, the list of names or the look at hidden ones leave them out.
  private func unasked(_ summary: RunSummary) -> [String] {
    guard summary.unasked > 0 else { return [] }
    return [
      Counted.things(summary.unasked, "known photo is", "known photos are") + " no longer asked for"
    ]
  }

  private func pruned(_ summary: RunSummary) -> [String] {
    guard summary.pruned > 0 else { return [] }
    return [Counted.things(summary.pruned, "file", "files") + " pruned from originals/"]
  }

  /// One photo that was read: `read (modified) holiday/x.jpg`.
  func reading(_ path: RelativePath, _ reason: ReadReason, _ formerPath: RelativePath?) -> String {
    let known = formerPath.map { ", known as \(SafeText.cleaned($0.display))" } ?? ""
    return "read (\(reason.rawValue)\(known)) \(SafeText.cleaned(path.display))"
  }

  /// One photo that is not verified: `damaged holiday/x.jpg: the file ends before the image does`.
  func problem(_ row: RowSummary) -> String {
    painted(row.status, row.status.rawValue) + " " + named(row)
  }

  func named(_ row: RowSummary) -> String {
    let path = SafeText.cleaned(row.path.display)
    guard let error = row.error else { return path }
    return path + ": " + SafeText.cleaned(error.message)
  }

  func painted(_ status: AssetRow.Status, _ text: String) -> String {
    switch status {
    case .verified: palette.good(text)
    case .damaged: palette.doubtful(text)
    case .failed: palette.bad(text)
    }
  }

  func leftOut(_ kinds: [String: Int]) -> [String] {
    let parts = kinds.filter { $0.value > 0 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \(SafeText.cleaned($0.key))" }
    return parts.isEmpty ? [] : ["left out: " + parts.joined(separator: ", ")]
  }

  func unreadable(_ folders: Int) -> [String] {
    folders == 0 ? [] : [palette.bad(Counted.things(folders, "folder", "folders") + " could not be read")]
  }

  private func totals(_ totals: ManifestTotals) -> String {
    guard totals.assets > 0 else { return "no photos" }
    guard totals.verified < totals.assets else {
      let verdict = totals.assets == 1 ? "verified" : "all verified"
      return palette.strong(Counted.photos(totals.assets)) + ", " + palette.good(verdict)
    }
    let parts: [(Int, AssetRow.Status)] = [
      (totals.verified, .verified), (totals.damaged, .damaged), (totals.failed, .failed),
    ]
    let words = parts.filter { $0.0 > 0 }.map { painted($0.1, "\($0.0) \($0.1.rawValue)") }
    return palette.strong(Counted.photos(totals.assets)) + ": " + words.joined(separator: ", ")
  }

  private func listed(_ status: AssetRow.Status, _ summary: RunSummary) -> [String] {
    let rows = summary.problems.filter { $0.status == status }
    return rows.isEmpty ? [] : [painted(status, status.rawValue) + ":"] + rows.map { "  " + named($0) }
  }

  private func more(_ summary: RunSummary) -> [String] {
    let hidden = summary.totals.damaged + summary.totals.failed - summary.problems.count
    return hidden > 0 ? ["and \(hidden) more; manifest.jsonl lists them all"] : []
  }

  private var results: String {
    let files = ["manifest.jsonl"] + ManifestFormat.allCases.filter(place.manifests.contains).map(\.fileName)
    let all = files + (place.hasThumbnails ? ["thumbnails/"] : [])
    return "results: \(SafeText.cleaned(place.output)) (\(all.joined(separator: ", ")))"
  }

  private func pace(_ summary: RunSummary) -> String {
    let seconds = Counted.seconds(summary.elapsed)
    let time = Counted.time(summary.elapsed)
    let count = summary.unchanged > 0 ? summary.reads.values.reduce(0, +) : summary.totals.assets
    guard seconds > 0, count > 0 else { return time }
    let photos = Counted.decimal(Double(count) / seconds, 1)
    let bytes = Double(summary.bytesRead)
    return "\(time), \(photos) photos/s, \(Counted.bytes(bytes)) read (\(Counted.bytes(bytes / seconds))/s)"
  }
}
