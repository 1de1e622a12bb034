import IngestCore
import IngestFiles
import PhotoCodecs

/// The one place where errors of the lower rooms become a photo's failure.
extension LoadFailure {
  /// Takes over what a codec said.
  init(_ error: CodecError) {
    let code: FailureCode =
      switch error.code {
      case .truncated: .truncated
      case .corrupt: .corrupt
      case .missingEndMarker: .missingEndMarker
      case .empty: .empty
      case .notAnImage: .notAnImage
      case .unsupported: .unsupported
      case .tooLarge: .tooLarge
      case .cancelled: .timeout
      }
    self.init(code, error.message)
  }

  /// Says that a photo took longer than one may.
  static func timeout(_ limit: Duration) -> LoadFailure {
    LoadFailure(.timeout, "the photo took longer than the time limit of \(limit.secondsText) seconds")
  }

  /// Says that the file is not what it was when it was opened.
  init(_ change: SourceFile.Change) {
    switch change {
    case .vanished: self.init(.vanished, "the file was removed while it was read")
    case .replaced: self.init(.unstable, "the file was replaced by another while it was read")
    case .changed: self.init(.unstable, "the file changed while it was read")
    }
  }
}
