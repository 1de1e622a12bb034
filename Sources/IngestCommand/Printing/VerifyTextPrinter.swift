import Ingest
import IngestCore

/// Writes findings to stdout, one a line, and what there is to say of the whole to stderr.
struct VerifyTextPrinter: VerifyPrinting {
  /// Nil where the findings go elsewhere, as JSON.
  let output: (any ByteOutput)?
  let console: Console
  let palette: Palette
  let resultPalette: Palette
  let isQuiet: Bool

  func hear(_ event: VerifyEvent, of album: RelativePath?) {
    switch event {
    case .began, .progressed: break
    case .finding(let finding):
      guard let output else { return }
      // The moving line may be on the same screen.
      console.clear()
      output.write(SummaryText.prefix(album) + Self.line(finding, resultPalette) + "\n")
    case .message(let level, let text):
      if level == .error || !isQuiet {
        console.write([TextPrinter.warning(SummaryText.plainPrefix(album) + text, palette)])
      }
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    console.clear()
    switch outcome {
    case .checked(let summary):
      if !isQuiet { console.write(lines(summary)) }
    case .albumsChecked(let checks): console.write(lines(checks))
    case .failed(.cancelled) where ending.signalName != nil: break
    case .failed(let error): console.write([TextPrinter.complaint(error.sentence, palette)])
    case .done, .run, .albums, .listed, .albumsListed, .published, .inspected, .skipped, .usage: break
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

  /// Each album under its name. Of those that could not be looked at a quiet look tells too.
  private func lines(_ checks: [AlbumCheck]) -> [String] {
    checks.flatMap { check -> [String] in
      let prefix = SummaryText.prefix(check.name)
      switch check.outcome {
      case .success(let summary): return isQuiet ? [] : lines(summary).map { prefix + $0 }
      case .failure(let error): return [TextPrinter.complaint(prefix + error.sentence, palette)]
      }
    }
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
        Counted.things(summary.keptVersions, "earlier version", "earlier versions")
          + " under originals/, kept by design")
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
