import Ingest
import IngestCore

/// Tells what a verification finds: to people, to programs, or how far it is.
protocol VerifyPrinting: Sendable {
  /// Called from the command's thread.
  func hear(_ event: VerifyEvent)
  /// Called once, when nothing more will be heard.
  func finish(_ outcome: Outcome, ending: Ending)
}

/// Writes findings to stdout, one a line, and what there is to say of the whole to stderr.
struct VerifyTextPrinter: VerifyPrinting {
  /// Nil where the findings go elsewhere, as JSON.
  let output: (any ByteOutput)?
  let console: Console
  let palette: Palette
  let resultPalette: Palette
  let isQuiet: Bool

  func hear(_ event: VerifyEvent) {
    switch event {
    case .began, .progressed: break
    case .finding(let finding):
      guard let output else { return }
      // The moving line may be on the same screen.
      console.clear()
      output.write(Self.line(finding, resultPalette) + "\n")
    case .message(let level, let text):
      if level == .error || !isQuiet { console.write([TextPrinter.warning(text, palette)]) }
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
    switch outcome {
    case .checked(let summary):
      if !isQuiet { console.write(lines(summary)) }
    case .failed(.cancelled) where ending.signalName != nil: break
    case .failed(let error): console.write([TextPrinter.complaint(error.sentence, palette)])
    case .done, .run, .listed, .inspected, .skipped, .usage: break
    }
    if let signal = ending.signalName {
      console.write([TextPrinter.complaint("stopped by \(signal); not everything was looked at", palette)])
    }
  }

  /// `changed source alps/x.jpg: holds other content than the manifest says`
  static func line(_ finding: VerifyFinding, _ palette: Palette) -> String {
    "\(palette.bad(finding.kind.rawValue)) \(finding.part.rawValue) \(SafeText.cleaned(finding.path.display)): "
      + SafeText.cleaned(finding.message)
  }

  private func lines(_ summary: VerifySummary) -> [String] {
    let checked = VerifyFinding.Part.allCases.compactMap { part -> String? in
      let words = Self.words(part)
      return summary.checked[part].map { Counted.things($0, words.0, words.1) }
    }
    var lines = ["checked: " + (checked.isEmpty ? "nothing" : checked.joined(separator: ", "))]
    if summary.source == nil { lines.append("the sources were not looked at") }
    if summary.keptVersions > 0 {
      lines.append(
        Counted.things(summary.keptVersions, "earlier version", "earlier versions") + " under originals/, kept by design")
    }
    let findings = VerifyFinding.Kind.allCases.compactMap { kind in
      summary.findings[kind].map { palette.bad("\($0) \(kind.rawValue)") }
    }
    lines.append(
      findings.isEmpty ? palette.good("everything is as the manifest says") : findings.joined(separator: ", "))
    let seconds = Counted.seconds(summary.elapsed)
    let rate = seconds > 0 ? " (\(Counted.bytes(Double(summary.bytesRead) / seconds))/s)" : ""
    lines.append("\(Counted.time(summary.elapsed)), \(Counted.bytes(Double(summary.bytesRead))) read\(rate)")
    return lines
  }

  private static func words(_ part: VerifyFinding.Part) -> (String, String) {
    switch part {
    case .source: ("source", "sources")
    case .thumbnail: ("thumbnail", "thumbnails")
    case .original: ("original", "originals")
    case .sideFile: ("side file", "side files")
    case .manifest: ("manifest", "manifests")
    case .bag: ("file of the bag", "files of the bag")
    }
  }
}

/// Writes findings and the summary as JSON lines.
struct VerifyJSONPrinter: VerifyPrinting {
  let output: any ByteOutput

  func hear(_ event: VerifyEvent) {
    switch event {
    case .progressed: break
    case .began(let files):
      record { writer in
        writer.member("count", files)
        writer.member("record", "scan")
      }
    case .finding(let finding):
      record { writer in
        writer.member("index", finding.index)
        writer.member("kind", finding.kind.rawValue)
        writer.member("message", finding.message)
        writer.member("part", finding.part.rawValue)
        writer.member("path", finding.path.display)
        if !finding.path.isExact {
          writer.key("path_b64")
          writer.base64(finding.path.bytes)
        }
        writer.member("record", "finding")
      }
    case .message(let level, let text): JSONPrinter(output: output).message(level, text)
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    var checked: VerifySummary?
    switch outcome {
    case .checked(let summary): checked = summary
    case .failed(let error): JSONPrinter(output: output).message(.error, error.sentence)
    case .done, .run, .listed, .inspected, .skipped, .usage: break
    }
    record { writer in
      if let checked {
        writer.counts("checked", checked.checked.map { ($0.key.rawValue, $0.value) })
      }
      writer.member("exit_code", ending.shown)
      if let checked {
        writer.counts("findings", checked.findings.map { ($0.key.rawValue, $0.value) })
        writer.member("kept_versions", checked.keptVersions)
      }
      writer.member("record", "summary")
      if let checked {
        writer.member("seconds", (Counted.seconds(checked.elapsed) * 1000).rounded() / 1000)
        writer.member("sources_checked", checked.source != nil)
      }
    }
  }

  private func record(_ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    members(&writer)
    writer.endObject()
    writer.newLine()
    output.write(writer.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func counts(_ key: String, _ counts: [(String, Int)]) {
    self.key(key)
    beginObject()
    for (word, count) in counts.sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }) { member(word, count) }
    endObject()
  }
}

/// Shows how far a verification is, at most ten times a second on a terminal and once a second elsewhere.
final class VerifyProgressPrinter: VerifyPrinting {
  private struct State {
    var total = 0
    var began: Duration?
    var lastFrame: Duration?
    var findings = 0
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

  func hear(_ event: VerifyEvent) {
    let now = clock()
    let form = form
    let frame = state.withLock { state -> String? in
      switch event {
      case .began(let files):
        state.total = files
        state.began = now
        return nil
      case .finding:
        state.findings += 1
        return nil
      case .message: return nil
      case .progressed(let finished, let total):
        let interval: Duration = form == .bar ? .milliseconds(100) : .seconds(1)
        if let last = state.lastFrame, now - last < interval { return nil }
        state.lastFrame = now
        var figures = ["\(finished)/\(total) files"]
        let seconds = Counted.seconds(now - (state.began ?? now))
        if seconds > 0, finished > 0 {
          let rate = Double(finished) / seconds
          figures.append(Counted.decimal(rate, 1) + "/s")
          figures.append("ETA " + Counted.clock(.seconds(Double(max(0, total - finished)) / rate)))
        }
        if state.findings > 0 { figures.append(Counted.things(state.findings, "finding", "findings")) }
        return figures.joined(separator: form == .bar ? "  " : ", ")
      }
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
