import IngestCore
import IngestFiles

/// Names ends of runs without the places where they happened: what is written down must not depend on where folders lie.
extension RunError {
  /// One stable word.
  var word: String {
    switch self {
    case .sourceUnusable: "source-unusable"
    case .sourceDoubtful(.empty, _): "source-empty"
    case .sourceDoubtful(.otherDevice, _): "source-on-another-device"
    case .sourceDoubtful(.mostGone, _): "source-lost-most-photos"
    case .sourceDoubtful(.noneAskedFor, _): "no-photo-asked-for"
    case .outputUnusable: "output-unusable"
    case .stoppedByPolicy: "stopped-by-policy"
    case .sandboxRefused: "sandbox-refused"
    case .noDecoder: "no-decoder"
    case .cancelled: "cancelled"
    case .locked: "locked"
    case .catalogueUnusable: "catalogue-unusable"
    case .manifestUnusable: "manifest-unusable"
    case .bagUnusable: "bag-unusable"
    case .publishingUnusable: "publishing-unusable"
    case .inputUnusable: "input-unusable"
    }
  }

  /// What happened, without the path of the source or output folder.
  var placelessReason: String {
    switch self {
    case .sourceUnusable(let error): "the source folder \(error.reason)"
    case .sourceDoubtful(.empty(let known), _): "the source folder is empty, and \(known) photos are known in it"
    case .sourceDoubtful(.otherDevice, _): "the source folder lies on another device than last time"
    case .sourceDoubtful(.mostGone(let gone, let known), _):
      "\(gone) of \(known) photos known in the source folder are gone"
    case .sourceDoubtful(.noneAskedFor(let known), _):
      "no photo is asked for, and \(known) photos are known in the source folder"
    case .outputUnusable(let error): "the album's folder \(error.reason)"
    case .stoppedByPolicy(_, let failure, _, _): "\(failure.message); the run stopped here, as asked"
    case .sandboxRefused(let parts): "the kernel refused a part of the sandbox: \(parts.joined(separator: ", "))"
    case .noDecoder(let reason): reason
    case .cancelled: "the run was cancelled"
    case .locked: "another program has the album's folder"
    case .catalogueUnusable(let reason): reason
    case .manifestUnusable(_, let reason): "the manifest: \(reason)"
    case .bagUnusable(let path, let reason): "no new bag: \(path.display): \(reason)"
    case .publishingUnusable(let problem): "\(problem.key): \(problem.words)"
    case .inputUnusable(let error): error.reason
    }
  }
}
