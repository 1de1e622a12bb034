import Ingest
import IngestCore

/// Writes findings and the summary as JSON lines.
struct VerifyJSONPrinter: VerifyPrinting {
  let output: any ByteOutput

  func hear(_ event: VerifyEvent, of album: RelativePath?) {
    switch event {
    case .progressed: break
    case .began(let files):
      record(of: album) { writer in
        writer.member("count", files)
        writer.member("record", "scan")
      }
    case .finding(let finding):
      record(of: album) { writer in
        writer.member("index", finding.index)
        writer.member("kind", finding.kind.rawValue)
        writer.member("message", finding.message)
        writer.member("part", finding.part.rawValue)
        writer.path(finding.path)
        writer.member("record", "finding")
      }
    case .message(let level, let text): JSONPrinter(output: output).message(level, text, of: album)
    }
  }

  func finish(_ outcome: Outcome, ending: Ending) {
    switch outcome {
    case .checked(let summary): self.summary(summary, code: ending.shown)
    case .albumsChecked(let checks):
      for check in checks {
        let code = ExitCode(.albumsChecked([check])).rawValue
        switch check.outcome {
        case .success(let summary): self.summary(summary, code: code, of: check.name)
        case .failure(let error):
          JSONPrinter(output: output).message(.error, error.sentence, of: check.name)
          summary(nil, code: code, of: check.name)
        }
      }
      summary(nil, code: ending.shown)
    case .failed(let error):
      JSONPrinter(output: output).message(.error, error.sentence)
      summary(nil, code: ending.shown)
    case .done, .run, .albums, .listed, .albumsListed, .published, .inspected, .skipped, .usage:
      summary(nil, code: ending.shown)
    }
  }

  /// The record of one album's end, or the last of all.
  private func summary(_ checked: VerifySummary?, code: Int32, of album: RelativePath? = nil) {
    record(of: album) { writer in
      if let checked {
        writer.counts("checked", checked.checked.map { ($0.key.rawValue, $0.value) })
      }
      writer.member("exit_code", code)
      if let checked {
        writer.counts("findings", checked.findings.map { ($0.key.rawValue, $0.value) })
        writer.member("kept_versions", checked.keptVersions)
      }
      writer.member("record", album == nil ? "summary" : "album")
      if let checked {
        writer.member("seconds", (Counted.seconds(checked.elapsed) * 1000).rounded() / 1000)
        writer.member("sources_checked", checked.source != nil)
      }
    }
  }

  private func record(of album: RelativePath?, _ members: (inout JSONWriter) -> Void) {
    output.write(
      JSONWriter.line { writer in
        if let album { writer.path(album, key: "album") }
        members(&writer)
      })
  }
}
