import Ingest
import IngestCore

/// Appends every message and the verdict of every photo to a log file: no colours, each line with its time.
struct LogPrinter: RunPrinting {
  let log: any ByteOutput
  let place: RunPlace
  /// The time since the run began.
  let clock: @Sendable () -> Duration
  /// Called once at the end when the log did not take everything, with the system's words.
  var onLoss: @Sendable (String) -> Void = { _ in }

  private var words: SummaryText { SummaryText(palette: Palette(isOn: false), place: place) }

  /// Writes the line with which a run begins, since a log holds many: the one with the time of day.
  func begin(_ beginning: RunBeginning) {
    write([
      "\(beginning.time) \(Version.line), process \(beginning.processID): run of "
        + place.sources.map { SafeText.cleaned($0) }.joined(separator: ", ") + " to " + SafeText.cleaned(place.output)
    ])
  }

  func hear(_ event: RunEvent, of album: Album?) {
    let prefix = SummaryText.prefix(album?.name)
    let write = { (lines: [String]) in self.write(lines.map { prefix + $0 }) }
    switch event {
    case .scanned(let count): write(["\(Counted.photos(count)) found"])
    case .degraded, .progressed: break
    case .read(let path, let reason, let formerPath): write([words.reading(path, reason, formerPath)])
    case .asset(_, let row):
      // What an earlier run has found stands in that run's lines.
      if row.reason != nil { write([words.problem(row)]) }
    case .vanished(let path): write(["vanished: \(SafeText.cleaned(path.display))"])
    case .cancelled(let path): write(["cancelled " + SafeText.cleaned(path.display)])
    case .message(let level, let text): write(["\(level.rawValue): \(SafeText.cleaned(text))"])
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    switch outcome {
    case .run(let summary): write(words.lines(summary))
    case .albums(let albums): write(words.lines(albums))
    case .listed(let summary): write([Counted.things(summary.count, "candidate", "candidates")])
    case .albumsListed(let listings): write(words.lines(listings))
    case .skipped(let error): write([error.sentence + "; nothing was done"])
    case .failed(let error): write(["error: \(error.sentence)"])
    case .usage(let error): write(["error: \(error.sentence)"])
    case .done, .checked, .albumsChecked, .published, .inspected: break
    }
    if let signal = ending.signalName {
      write([TextPrinter.interrupted(signal, outcome)])
    } else {
      write(["exit code \(ending.shown)"])
    }
    if let reason = log.lossReason { onLoss(reason) }
  }

  private func write(_ lines: [String]) {
    let seconds = Counted.decimal(Counted.seconds(clock()), 3)
    let stamp = "[" + String(repeating: " ", count: max(0, 9 - seconds.utf8.count)) + seconds + "] "
    log.write(lines.map { stamp + $0 + "\n" }.joined())
  }
}
