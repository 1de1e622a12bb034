import Ingest

/// Names the codes with which the program ends (interface version 1, "Exit codes").
enum ExitCode: Int32, CaseIterable, Sendable {
  case good = 0
  case incomplete = 1
  case usage = 2
  case notVerified = 3
  case differs = 4
  case unpublished = 5
  case locked = 75

  /// What a code means, for help.
  var meaning: String {
    switch self {
    case .good:
      "complete, and every photo of the manifest is verified; also nothing to do, or --lock=skip and another run has DIR"
    case .incomplete: "the run did not complete: output not writable, disk full, source missing, --on-error stop, a bug"
    case .usage: "wrong usage or configuration; nothing was touched"
    case .notVerified: "complete, but some photos are not verified, or a folder could not be read"
    case .differs: "verify found content that differs, is missing or is not listed"
    case .unpublished: "local result good, publishing incomplete; running again goes on from there"
    case .locked: "another run holds the lock (--lock=fail, or --lock=wait=SECONDS was over)"
    }
  }
}

extension ExitCode {
  /// The one switch from outcomes to codes.
  init(_ outcome: Outcome) {
    switch outcome {
    case .done, .skipped: self = .good
    case .run(let summary): self = summary.isAllVerified ? .good : .notVerified
    case .listed(let summary): self = summary.unreadableFolders == 0 ? .good : .notVerified
    case .albums(let summary):
      self = Self.worst(summary.results.map(Self.init) + (summary.fault.map { [ExitCode(.failed($0))] } ?? []))
    case .albumsListed(let listings): self = Self.worst(listings.map { Self.init($0.outcome.map(Outcome.listed)) })
    case .albumsChecked(let checks): self = Self.worst(checks.map { Self.init($0.outcome.map(Outcome.checked)) })
    case .checked(let summary): self = summary.isGood ? .good : .differs
    case .published(let summary): self = summary.isComplete || summary.isDryRun ? .good : .unpublished
    case .inspected(let allVerified): self = allVerified ? .good : .notVerified
    case .usage: self = .usage
    case .failed(let error):
      switch error {
      case .sourceUnusable, .outputUnusable, .stoppedByPolicy, .cancelled, .manifestUnusable,
        .bagUnusable, .sandboxRefused, .noDecoder, .sourceDoubtful, .catalogueUnusable:
        self = .incomplete
      case .locked: self = .locked
      // The user named the file, and nothing has happened yet.
      case .inputUnusable, .publishingUnusable: self = .usage
      }
    }
  }
}

extension ExitCode {
  /// How the program would end if there were no other album.
  init(_ result: AlbumResult) {
    self.init(result.outcome.map(Outcome.run))
  }

  /// An album that somebody else has is one that is not complete; the lock of the whole folder is another matter.
  private init(_ outcome: Result<Outcome, RunError>) {
    switch outcome {
    case .success(let outcome): self.init(outcome)
    case .failure(.locked): self = .incomplete
    case .failure(let error): self.init(.failed(error))
    }
  }

  /// The code of a whole of which each part has its own: 1 goes before 4, then 5, then 3.
  static func worst(_ codes: [ExitCode]) -> ExitCode {
    let order: [ExitCode] = [.usage, .locked, .incomplete, .differs, .unpublished, .notVerified]
    return order.first(where: codes.contains) ?? .good
  }
}
