import Ingest
import IngestCore

/// Tells what a publication does: to people, to programs, or how far it is.
protocol PublishPrinting: Sendable {
  /// Called from any thread; photos come in the order of the manifest.
  func hear(_ event: PublishEvent)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}

/// Writes a line for each photo, and the summary, as JSON.
final class PublishJSONPrinter: PublishPrinting {
  private let output: any ByteOutput
  private let album = Guarded<String?>(nil)

  init(output: any ByteOutput) {
    self.output = output
  }

  func hear(_ event: PublishEvent) {
    switch event {
    case .progressed, .posted: break
    case .album(let name): album.withLock { $0 = name }
    case .planned(let photos, _):
      let name = album.withLock { $0 }
      record { writer in
        writer.member("album", name)
        writer.member("count", photos)
        writer.member("record", "scan")
      }
    case .photo(let receipt):
      let name = album.withLock { $0 }
      record { writer in
        writer.member("album", name)
        receipt.write(to: &writer, record: "publish")
      }
    case .stopped(let step, let reason): message(.error, "\(step): \(reason)")
    case .message(let level, let text): message(level, text)
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    if case .failed(let error) = outcome { JSONPrinter(output: output).message(.error, error.sentence) }
    record { writer in
      writer.member("exit_code", ending.shown)
      if case .published(let summary) = outcome {
        writer.member("lists", summary.lists)
        writer.counts(
          "photos", PublishReceipt.Status.allCases.map { ($0.rawValue, summary.counts[$0, default: 0]) })
        writer.member("posted", summary.posted)
      }
      writer.member("record", "summary")
      if case .published(let summary) = outcome {
        writer.member("seconds", (Counted.seconds(summary.elapsed) * 1000).rounded() / 1000)
      }
    }
  }

  private func message(_ level: RunEvent.Level, _ text: String) {
    let name = album.withLock { $0 }
    record { writer in
      writer.member("album", name)
      writer.member("level", level.rawValue)
      writer.member("record", "message")
      writer.member("text", text)
    }
  }

  private func record(_ members: (inout JSONWriter) -> Void) {
    output.write(JSONWriter.line(members))
  }
}

/// Says which photos are not up, what ended the publication, and how many are.
struct PublishTextPrinter: PublishPrinting {
  /// Where a dry run lists what it would send; nil for any other one.
  let listing: (any ByteOutput)?
  let console: Console
  let palette: Palette
  let isQuiet: Bool
  /// Whether photos and reasons are told at all: not beside JSON, which tells them.
  let isTold: Bool

  func hear(_ event: PublishEvent) {
    guard isTold else { return }
    switch event {
    case .planned, .progressed: break
    case .album(let name):
      if !isQuiet { console.write(["album \(SafeText.cleaned(name))"]) }
    case .posted(let wasBefore):
      if !isQuiet { console.write([wasBefore ? "the list was posted before" : "the list is posted"]) }
    case .photo(let receipt):
      if let listing {
        // One line a photo: a name may hold anything.
        let place = receipt.url.map { SafeText.cleaned($0) } ?? "-"
        listing.write("\(receipt.status.rawValue)\t\(place)\t\(SafeText.cleaned(receipt.path.display))\n")
      } else if receipt.status == .failed {
        let why = receipt.error.map { ": \(SafeText.cleaned($0))" } ?? ""
        console.write(
          [TextPrinter.complaint("\(SafeText.cleaned(receipt.path.display)): not up\(why)", palette)], .error)
      }
    case .stopped(let step, let reason):
      console.write([TextPrinter.complaint("\(step): \(SafeText.cleaned(reason))", palette)], .error)
    case .message(let level, let text):
      if level != .info || !isQuiet { console.write([SafeText.cleaned(text)], level == .info ? .info : .warning) }
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    switch outcome {
    case .published(let summary):
      guard !isQuiet else { return }
      let words = PublishReceipt.Status.allCases.compactMap { status -> String? in
        summary.counts[status].map { "\($0) \(status.words(isDryRun: summary.isDryRun))" }
      }
      var lines = [
        "\(Counted.photos(summary.photos)): \(words.isEmpty ? "nothing to do" : words.joined(separator: ", "))"
      ]
      if !summary.isDryRun {
        if summary.lists > summary.posted { lines.append("the list is not posted; running again goes on from here") }
        lines.append(Counted.time(summary.elapsed))
      }
      console.write(lines)
    case .failed(let error):
      // Whoever has stopped it knows.
      if case .cancelled = error { return }
      if isTold { console.write([TextPrinter.complaint(error.sentence, palette)], .error) }
    case .done, .run, .albums, .listed, .albumsListed, .albumsChecked, .checked, .inspected, .skipped, .usage: break
    }
  }
}

extension PublishReceipt.Status {
  fileprivate func words(isDryRun: Bool) -> String {
    switch self {
    case .sent: isDryRun ? "up already" : "sent"
    case .present: isDryRun ? "there already" : "were there already"
    case .failed: isDryRun ? "cannot go up" : "failed"
    case .pending: isDryRun ? "to be sent" : "not sent yet"
    }
  }
}

/// Shows how far a publication is, at most ten times a second on a terminal and once a second elsewhere.
final class PublishProgressPrinter: PublishPrinting {
  private struct State {
    var began: Duration?
    var lastFrame: Duration?
  }

  private let console: Console
  private let form: ProgressPrinter.Form
  private let clock: @Sendable () -> Duration
  private let state = Guarded(State())

  init(console: Console, form: ProgressPrinter.Form, clock: @escaping @Sendable () -> Duration) {
    self.console = console
    self.form = form
    self.clock = clock
  }

  func hear(_ event: PublishEvent) {
    guard case .progressed(let finished, let total) = event else { return }
    let now = clock()
    let form = form
    let frame = state.withLock { state -> String? in
      state.began = state.began ?? now
      let interval: Duration = form == .bar ? .milliseconds(100) : .seconds(1)
      if let last = state.lastFrame, now - last < interval { return nil }
      state.lastFrame = now
      var figures = ["\(finished)/\(total) photos"]
      let seconds = Counted.seconds(now - (state.began ?? now))
      if seconds > 0 { figures.append(Counted.decimal(Double(finished) / seconds, 1) + "/s") }
      return figures.joined(separator: form == .bar ? "  " : ", ")
    }
    guard let frame else { return }
    switch form {
    case .bar: console.draw(Columns.head(frame, fitting: max(0, (console.stream.terminalWidth ?? 80) - 1)))
    case .lines: console.write([frame])
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
  }
}
