import Ingest
import IngestCore

/// Tells people what a run does, on the stream for people.
struct TextPrinter: RunPrinting {
  let console: Console
  let palette: Palette
  let volume: RunRequest.Talk.Volume
  let place: RunPlace
  /// Whether the summary and the rows go elsewhere, as JSON: then only what needs attention is said here.
  var isBesideJSON = false

  private var words: SummaryText { SummaryText(palette: palette, place: place) }

  func hear(_ event: RunEvent, of album: Album?) {
    let prefix = SummaryText.prefix(album?.name)
    switch event {
    case .scanned(let count):
      if volume == .verbose { console.write([prefix + "\(Counted.photos(count)) found"]) }
    case .degraded, .progressed, .read, .vanished: break
    case .asset(_, let row):
      if volume == .verbose { console.write([prefix + verdict(row)], row.status == .verified ? .info : .warning) }
    case .cancelled(let path):
      if volume == .verbose { console.write([prefix + "cancelled " + SafeText.cleaned(path.display)]) }
    case .message(let level, let text):
      if isSaid(level) { console.write([message(level, SummaryText.plainPrefix(album?.name) + text)], level.priority) }
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
    switch outcome {
    case .run(let summary):
      if volume == .quiet {
        console.write(summary.problems.map(words.problem) + words.unreadable(summary.unreadableFolders), .warning)
      } else if !isBesideJSON {
        console.write(words.lines(summary), summary.isAllVerified ? .info : .warning)
      }
    case .albums(let albums):
      if let fault = albums.fault { console.write([Self.complaint(fault.sentence, palette)], .error) }
      if volume == .quiet || isBesideJSON {
        let isQuiet = volume == .quiet
        console.write(words.complaints(albums, withPhotos: isQuiet, saysCancelled: ending.signalName == nil), .warning)
      } else {
        console.write(words.lines(albums), albums.succeeded ? .info : .warning)
      }
    case .albumsListed(let listings):
      let isShort = volume == .quiet || isBesideJSON
      console.write(isShort ? words.complaints(listings) : words.lines(listings))
    case .listed(let summary):
      guard volume != .quiet else { return console.write(words.unreadable(summary.unreadableFolders), .warning) }
      guard !isBesideJSON else { return }
      console.write(
        [Counted.things(summary.count, "candidate", "candidates") + "; nothing was read or written"]
          + words.leftOut(summary.leftOut) + words.unreadable(summary.unreadableFolders))
    case .skipped(let error):
      if volume != .quiet, !isBesideJSON {
        console.write([error.sentence + "; nothing was done"])
      }
    case .failed(.cancelled) where ending.signalName != nil: break
    case .failed(let error): console.write([Self.complaint(error.sentence, palette)], .error)
    case .usage(let error): console.write([Self.complaint(error.sentence, palette)], .error)
    case .done, .checked, .albumsChecked, .published, .inspected: break
    }
    if let signal = ending.signalName {
      console.write([Self.complaint(Self.interrupted(signal, outcome), palette)], .error)
    }
  }

  /// A sentence about the whole run, as Unix programs say it.
  static func complaint(_ sentence: String, _ palette: Palette) -> String {
    "\(Version.program): \(palette.bad("error")): \(sentence)"
  }

  /// Something that needs attention and ends nothing.
  static func warning(_ sentence: String, _ palette: Palette) -> String {
    palette.doubtful("warning") + ": " + SafeText.cleaned(sentence)
  }

  static func interrupted(_ signal: String, _ outcome: Outcome) -> String {
    switch outcome {
    case .run: return "\(signal) came when the run was complete"
    case .albums(let albums):
      return albums.results.allSatisfy(\.isComplete)
        ? "\(signal) came when every album was complete"
        : "stopped by \(signal); the manifests of albums that are not complete are untouched"
    default: break
    }
    return "stopped by \(signal); an earlier manifest is untouched"
  }

  private func isSaid(_ level: RunEvent.Level) -> Bool {
    switch level {
    case .info: volume == .verbose
    case .warning: volume != .quiet
    case .error: true
    }
  }

  private func message(_ level: RunEvent.Level, _ text: String) -> String {
    let clean = SafeText.cleaned(text)
    return switch level {
    case .info: clean
    case .warning: Self.warning(text, palette)
    case .error: palette.bad("error") + ": " + clean
    }
  }

  private func verdict(_ row: RowSummary) -> String {
    let word = row.status.rawValue
    return words.painted(row.status, word) + String(repeating: " ", count: 9 - word.utf8.count) + words.named(row)
  }
}

extension RunEvent.Level {
  fileprivate var priority: JournalPriority {
    switch self {
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

extension Ending {
  /// The usual name of the signal, if one ended the run.
  var signalName: String? {
    guard case .signal(let number) = self else { return nil }
    return switch number {
    case 1: "SIGHUP"
    case 2: "SIGINT"
    case 15: "SIGTERM"
    default: "signal \(number)"
    }
  }
}
