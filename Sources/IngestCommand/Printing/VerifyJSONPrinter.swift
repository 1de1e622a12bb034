import Ingest
import IngestCore

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
        writer.path(finding.path)
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
    case .done, .run, .listed, .published, .inspected, .skipped, .usage: break
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
    output.write(JSONWriter.line(members))
  }
}
