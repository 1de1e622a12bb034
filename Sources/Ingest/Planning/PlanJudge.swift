import Catalogue
import IngestCore
import IngestFiles

/// Holds one found photo against what is known of it.
struct PlanJudge {
  private let sizes: [Int]
  private let census: ThumbnailCensus
  let readsEverything: Bool
  private let retriesFailed: Bool
  private let keepsCaptured: Bool
  private let catalogue: Catalogue
  private let remoteOriginals: [RelativePath: RemoteOriginal]
  private let output: OutputFolder
  private let originals: AssetRow.OriginalKind?
  /// Nil where side files do not go along.
  private let sideFiles: SideFiles?
  /// The names of this run's options in the catalogue: of most rows, and of rows that ran out of time.
  private let options: KnownPhoto.OptionsID
  private let lateOptions: KnownPhoto.OptionsID

  init(
    _ configuration: RunConfiguration, source: SourceFolder, output: OutputFolder, census: ThumbnailCensus,
    catalogue: Catalogue
  ) throws(CatalogueError) {
    self.catalogue = catalogue
    self.output = output
    originals = configuration.originals
    sideFiles =
      originals != nil && configuration.carriesSideFiles
      ? SideFiles(source: source, exclude: configuration.filter.exclude) : nil
    sizes = configuration.thumbnailSizes
    remoteOriginals = configuration.remoteOriginals
    self.census = census
    readsEverything = configuration.readsEverything
    retriesFailed = configuration.retriesFailed
    keepsCaptured = configuration.order == .captured
    let recipe = RowRecipe(configuration)
    options = try catalogue.options(recipe.text(endingIn: nil))
    lateOptions = try catalogue.options(recipe.text(endingIn: .timeout))
  }

  func turn(for candidate: Candidate, _ known: KnownPhoto) -> PlannedTurn {
    if let reason = reason(toRead: candidate, known) {
      let mayBeSame = reason == .modified || reason == .replaced
      return .load(reason, twin: mayBeSame ? twin(known) : nil)
    }
    return .keep(
      KeptRow(
        line: known.line, status: known.status, error: known.error, thumbnailKey: known.thumbnailKey,
        captured: keepsCaptured ? known.captured : nil))
  }

  /// What is known of a photo, if a photo of the same content needs no decoding: its row came from its bytes alone, was
  /// made with these options, and its thumbnails are there.
  func twin(_ known: KnownPhoto) -> PhotoTwin? {
    guard known.status != .failed, known.options == options, hasThumbnails(known) else { return nil }
    return PhotoTwin(path: known.path, line: known.line)
  }

  private func hasThumbnails(_ known: KnownPhoto) -> Bool {
    guard known.thumbnails > 0 else { return true }
    guard let key = known.thumbnailKey else { return false }
    return census.content(of: key, in: sizes) == (known.thumbnails, known.thumbnailBytes)
  }

  private func reason(toRead candidate: Candidate, _ known: KnownPhoto) -> ReadReason? {
    if readsEverything { return .forced }
    if candidate.kind == .remote { return reason(toFetch: candidate.path, known) }
    guard let identity = candidate.identity else {
      if case .link = candidate.kind {
        // It was a file when its row was made.
        if known.stamp != nil { return .replaced }
        // A link is never opened, so that reading it says what is known already.
        if known.error == .unreadable, known.options == options { return nil }
      }
      return .retry
    }
    guard let stamp = known.stamp else { return .retry }
    if let change = stamp.change(to: identity) { return change }
    if known.options != (known.error == .timeout ? lateOptions : options) { return .options }
    if let error = known.error, retriesFailed || error.isPassing { return .retry }
    guard hasThumbnails(known), hasOriginal(candidate, known, size: identity.size) else { return .outputMissing }
    if let sideFiles, sideFiles.mark(of: candidate.path) != known.beside { return .modified }
    return nil
  }

  /// What is known of a remote photo is taken as it is: it is fetched once, unless something of the run asks for more.
  private func reason(toFetch path: RelativePath, _ known: KnownPhoto) -> ReadReason? {
    if known.options != (known.error == .timeout ? lateOptions : options) { return .options }
    if let error = known.error, retriesFailed || error.isPassing { return .retry }
    guard hasThumbnails(known) else { return .outputMissing }
    guard let expected = remoteOriginals[path]?.expectedSHA256 else { return nil }
    guard let line = try? catalogue.line(known.line), AssetRow(line: line.bytes)?.sha256 == expected else {
      return .modified
    }
    return nil
  }

  /// Whether the original lies where it belongs, if one belongs there at all.
  private func hasOriginal(_ candidate: Candidate, _ known: KnownPhoto, size: UInt64) -> Bool {
    guard let originals else { return true }
    let path = candidate.path.original.bytes
    // A copy in the place of a link has the content, but whoever wants links wants its room.
    if output.holds(path, size: originals == .symlink ? nil : size) { return true }
    // Photos that were not read to their end have none.
    guard let line = try? catalogue.line(known.line), let row = AssetRow(line: line.bytes) else { return false }
    return row.original == nil
  }
}
