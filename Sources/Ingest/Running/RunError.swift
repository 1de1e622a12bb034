import Catalogue
public import IngestCore
public import IngestFiles
import Workers

/// Says why a run did not complete. The old manifest, if there is one, is whole.
public enum RunError: Error, Sendable {
  /// The source folder is missing or cannot be opened.
  case sourceUnusable(FileError)
  /// The output folder cannot be made, opened or written: no rights, disk full.
  case outputUnusable(FileError)
  /// `ErrorPolicy` ended the run at this photo.
  case stoppedByPolicy(photo: RelativePath, failure: LoadFailure, failures: Int)
  /// The kernel refused these parts of the decoders' sandbox, and the run was told to require it.
  case sandboxRefused([String])
  /// No decoder process can be started; in the lower layer's words.
  case noDecoder(String)
  /// The owner cancelled the run.
  case cancelled
  /// The source folder looks as if it were not the one that the last run has read. The old manifest stays.
  case sourceDoubtful(SourceDoubt)
  /// The catalogue broke, and the one that was made in its stead did too.
  case catalogueUnusable(reason: String)
  /// A manifest is missing, cut off or not ours.
  case manifestUnusable(path: String, reason: String)
  /// A file given by the user (a list, a configuration) cannot be read.
  case inputUnusable(FileError)
}

extension RunError {
  /// What a run does about its catalogue's failure: without room on the disk there is nothing to be mended.
  init(_ error: CatalogueError) {
    switch error.kind {
    case .full:
      let path = Array(".photo-ingest/\(CatalogueFile.name)".utf8)
      self = .outputUnusable(FileError(path: path, operation: "cannot be written: \(error.message)", errno: 0))
    case .busy, .unusable, .unreachable: self = .catalogueUnusable(reason: error.message)
    }
  }

  /// The end of a run whose decoders can do nothing more.
  init(_ breakdown: DecoderWatch.Breakdown) {
    switch breakdown {
    case .sandboxRefused(let measures): self = .sandboxRefused(measures.map(\.words))
    case .noDecoder(let reason): self = .noDecoder(reason)
    }
  }
}
