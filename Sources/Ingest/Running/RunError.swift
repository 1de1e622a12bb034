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
  /// Another run has the output folder. The holder is nil when it did not say who it is; `waited` is nil when nobody waited.
  case locked(output: [UInt8], by: LockHolder?, waited: Duration?)
  /// `ErrorPolicy` ended the run at this photo: the one cause. `failures` counts it and those before it that were allowed,
  /// `cancelled` the photos that were told as cancelled.
  case stoppedByPolicy(photo: RelativePath, failure: LoadFailure, failures: Int, cancelled: Int)
  /// The kernel refused these parts of the decoders' sandbox, and the run was told to require it.
  case sandboxRefused([String])
  /// No decoder process can be started; in the lower layer's words.
  case noDecoder(String)
  /// The owner cancelled the run.
  case cancelled
  /// The source folder looks as if it were not the one that the last run has read. The old manifest stays.
  case sourceDoubtful(SourceDoubt, folder: [UInt8])
  /// The catalogue broke, and the one that was made in its stead did too.
  case catalogueUnusable(reason: String)
  /// A manifest is missing, cut off or not ours.
  case manifestUnusable(path: String, reason: String)
  /// A bag cannot be made of this file, or in this place; the old bag stays.
  case bagUnusable(path: RelativePath, reason: String)
  /// The configuration of publishing cannot be followed.
  case publishingUnusable(PublishProblem)
  /// A file given by the user (a list, a configuration) cannot be read.
  case inputUnusable(FileError)
}

extension RunError {
  /// What a run does about its catalogue's failure: without room on the disk there is nothing to be mended.
  init(_ error: CatalogueError) {
    switch error.kind {
    case .full:
      let path = Array(".photo-ingest/\(CatalogueFile.name)".utf8)
      self = .outputUnusable(FileError(path: path, operation: "cannot be written", errno: error.systemError))
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

extension RunError {
  /// Names a mistake that people make with the name of a source folder.
  public enum SourceMistake: Sendable {
    /// The name begins with "~/", which a shell replaces only outside of quotes.
    case homeMark
    /// The name is that of a file.
    case singlePhoto
  }

  /// What may be wrong with the name of a source folder that cannot be used.
  public var likelyMistake: SourceMistake? {
    guard case .sourceUnusable(let error) = self else { return nil }
    if error.path.starts(with: "~/".utf8) { return .homeMark }
    return error.isNoFolder ? .singlePhoto : nil
  }
}
