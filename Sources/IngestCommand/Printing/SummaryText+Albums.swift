import Ingest
import IngestCore

/// Words what came of several albums, each under its name, and of all of them.
extension SummaryText {
  /// `holiday: `, in front of a line that is about one album of several; nothing where there is one folder.
  static func prefix(_ album: RelativePath?) -> String {
    album.map { SafeText.cleaned($0.bytes) + ": " } ?? ""
  }

  /// The same, for a text that is cleaned later.
  static func plainPrefix(_ album: RelativePath?) -> String {
    album.map { $0.display + ": " } ?? ""
  }

  /// Every line: each album with what a run over its folder alone would say, then the whole.
  func lines(_ albums: AlbumsSummary) -> [String] {
    albums.results.flatMap(lines) + [whole(albums), Counted.time(albums.elapsed)]
  }

  private func lines(_ result: AlbumResult) -> [String] {
    let heading = palette.strong(SafeText.cleaned(result.album.name.bytes)) + ":"
    switch result.outcome {
    case .success(let summary):
      return [heading] + SummaryText(palette: palette, place: place.of(result.album)).lines(summary).map { "  " + $0 }
    case .failure(let error): return [heading, "  " + failure(error)]
    }
  }

  private func failure(_ error: RunError) -> String {
    if case .cancelled = error { return "not complete: cancelled" }
    return palette.bad("error") + ": " + error.sentence
  }

  /// `3 albums, all succeeded`, or which have not.
  private func whole(_ albums: AlbumsSummary) -> String {
    let count = palette.strong(Counted.things(albums.results.count, "album", "albums"))
    let failed = albums.results.filter { !$0.succeeded }.map { SafeText.cleaned($0.album.name.bytes) }
    guard !failed.isEmpty else { return count + ", " + palette.good("all succeeded") }
    let good = albums.results.count - failed.count
    return count + ": \(good) succeeded, " + palette.bad("\(failed.count) failed")
      + " (\(failed.joined(separator: ", ")))"
  }

  /// What a quiet run says: photos that are not verified, and albums that are not complete.
  func complaints(_ albums: AlbumsSummary, withPhotos: Bool, saysCancelled: Bool) -> [String] {
    albums.results.flatMap { result -> [String] in
      let prefix = Self.prefix(result.album.name)
      switch result.outcome {
      case .success(let summary):
        guard withPhotos else { return [] }
        return (summary.problems.map(problem) + unreadable(summary.unreadableFolders)).map { prefix + $0 }
      case .failure(.cancelled) where !saysCancelled: return []
      case .failure(let error): return [prefix + failure(error)]
      }
    }
  }

  // MARK: Dry runs

  func lines(_ listings: [AlbumListing]) -> [String] {
    let done = listings.compactMap { try? $0.outcome.get() }
    let count = done.reduce(0) { $0 + $1.count }
    return [
      "\(Counted.things(count, "candidate", "candidates")) in \(Counted.things(done.count, "album", "albums"))"
        + "; nothing was read or written"
    ] + leftOut(done.map(\.leftOut).summed) + complaints(listings)
  }

  func complaints(_ listings: [AlbumListing]) -> [String] {
    listings.flatMap { listing -> [String] in
      let prefix = Self.prefix(listing.album.name)
      switch listing.outcome {
      case .success(let summary): return unreadable(summary.unreadableFolders).map { prefix + $0 }
      case .failure(let error): return [prefix + failure(error)]
      }
    }
  }
}
