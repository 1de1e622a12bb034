import IngestCore

/// Spells out what a row depends on beside its photo: rows with the same words need no new reading.
///
/// Whatever changes the row or the outputs of the same photo belongs here; what does not (workers, order, manifests, which
/// photos are taken) must stay out, or a changed option costs a night.
struct RowRecipe: Hashable, Sendable {
  /// Changes when the same photo and the same options give another row than before.
  static let version = 2

  let text: String
  private let timeout: String

  init(_ configuration: RunConfiguration) {
    let pictures = ThumbnailPath.recipe(sizes: configuration.thumbnailSizes, decoding: configuration.decoding)
    let limits = configuration.limits
    let originals = configuration.originals.map {
      " originals=\($0.rawValue)" + (configuration.carriesSideFiles ? ",side-files" : "")
    }
    text =
      "rows=\(Self.version) pictures=\(pictures) pixels=\(limits.maxPixels) memory=\(limits.maxMemory)"
      + (originals ?? "")
    timeout = limits.timeout.secondsText
  }

  /// The words for a row that ended so. Of the time for one photo only those depend that ran out of it.
  func text(endingIn error: FailureCode?) -> String {
    error == .timeout ? text + " timeout=\(timeout)" : text
  }
}

extension FailureCode {
  /// Whether it tells of circumstances rather than of the photo's bytes: such a photo is tried again by every run.
  var isPassing: Bool {
    switch self {
    case .unreadable, .unstable, .vanished, .networkOff, .fetchFailed: true
    case .truncated, .corrupt, .missingEndMarker, .empty, .notAnImage, .unsupported, .tooLarge, .timeout,
      .decoderCrashed:
      false
    }
  }
}
