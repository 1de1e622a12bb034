import IngestCore
import IngestFiles

/// Tells how the fetching of one original ended.
enum FetchEnding {
  case here(FetchedOriginal)
  case failed(LoadFailure)
  case cancelled
}

/// Is an original that lies in the cache, open for its one read.
struct FetchedOriginal {
  let file: SourceFile
  /// When it was changed, as far as the server said; the file's own times are those of the fetch.
  let modified: String?
}
