import Ingest
import IngestCore

extension RunError {
  /// One sentence: subject, what happened, why.
  var sentence: String {
    switch self {
    case .sourceUnusable(let error):
      "source folder " + SafeText.cleaned(String(describing: error)) + hint
    case .sourceDoubtful(let doubt, let folder):
      "source folder \(SafeText.cleaned(folder)): \(doubt.words); the manifest stays as it is. If that is how it should "
        + "be, run again with --accept-missing"
    case .catalogueUnusable(let reason):
      "output folder: the catalogue cannot be used, nor one made in its stead: \(SafeText.cleaned(reason))"
    case .outputUnusable(let error): "output folder " + SafeText.cleaned(String(describing: error))
    case .locked(let output, let holder, let waited):
      SafeText.cleaned(LockWords.held(output, by: holder, waited: waited))
    case .stoppedByPolicy(let photo, let failure, let failures, let cancelled):
      "\(SafeText.cleaned(photo.display)): \(SafeText.cleaned(failure.message)); the run stopped here, as asked "
        + "(\(Counted.photos(failures)) not verified, \(cancelled) cancelled)"
    case .sandboxRefused(let parts):
      "decoder processes: the kernel refused a part of their sandbox (\(parts.joined(separator: ", "))), and "
        + "--require-sandbox is set"
    case .noDecoder(let reason): "decoder processes: \(SafeText.cleaned(reason)); --workers in-process does without"
    case .cancelled: "the run was cancelled"
    case .manifestUnusable(let path, let reason): "\(SafeText.cleaned(path)): \(SafeText.cleaned(reason))"
    case .bagUnusable(let path, let reason):
      "no new bag: \(SafeText.cleaned(path.display)): \(SafeText.cleaned(reason))"
    case .publishingUnusable(let problem): "\(problem.key): \(SafeText.cleaned(problem.words))"
    case .inputUnusable(let error): SafeText.cleaned(String(describing: error))
    }
  }

  /// What the user may have meant.
  private var hint: String {
    switch likelyMistake {
    case .homeMark: "; \"~\" is taken as it is here: write the folder's whole name"
    case .singlePhoto: "; \"photo-ingest inspect FILE\" shows one photo"
    case nil: ""
    }
  }
}

extension SourceDoubt {
  /// What is found, and what was expected.
  fileprivate var words: String {
    switch self {
    case .empty(let known): "it is empty, and \(Counted.photos(known)) are known in it; is the disk mounted?"
    case .otherDevice: "it lies on another device than last time; is the disk mounted?"
    case .mostGone(let gone, let known): "\(gone) of \(Counted.photos(known)) known in it are gone"
    case .noneAskedFor(let known):
      "no photo in it is asked for, and \(Counted.photos(known)) are known in it: see --include, --exclude, "
        + "--files-from and --hidden"
    }
  }
}
