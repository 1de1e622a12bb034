/// Writes `photo-ingest.prom`: gauges in the text format of Prometheus, for the textfile collector of its node exporter.
///
/// No file names, no times behind the values, LF line ends and one at the end: the collector refuses a whole file for
/// less. A gauge whose value is not known is left out.
public enum PrometheusText {
  public static func encode(_ figures: LastRunFigures) -> [UInt8] {
    var text = ""
    func gauge(_ name: String, _ help: String, _ values: [(labels: String, value: String?)]) {
      let known = values.compactMap { entry in entry.value.map { (entry.labels, $0) } }
      guard !known.isEmpty else { return }
      text += "# HELP photo_ingest_\(name) \(help)\n# TYPE photo_ingest_\(name) gauge\n"
      for (labels, value) in known { text += "photo_ingest_\(name)\(labels) \(value)\n" }
    }
    let totals = figures.totals
    gauge(
      "assets", "Photos of the manifest by status.",
      [
        ("{status=\"damaged\"}", totals.map { "\($0.damaged)" }),
        ("{status=\"failed\"}", totals.map { "\($0.failed)" }),
        ("{status=\"verified\"}", totals.map { "\($0.verified)" }),
      ])
    gauge("bytes_read", "Bytes of photos that the last run has read.", [("", figures.bytesRead.map { "\($0)" })])
    gauge("last_run_duration_seconds", "How long the last run took.", [("", number(figures.duration))])
    gauge(
      "last_run_exit_code", "Exit code of the last run; a signal counts 128 more.",
      [("", figures.exitCode.map { "\($0)" })])
    gauge("last_run_timestamp_seconds", "When the last run ended.", [("", number(figures.ended))])
    gauge(
      "last_success_timestamp_seconds", "When a run last ended with a whole manifest (exit code 0 or 3).",
      [("", number(figures.lastSuccess))])
    return Array(text.utf8)
  }

  /// The value of a gauge without labels in such a text; nil when there is none.
  public static func value(of name: String, in text: [UInt8]) -> Double? {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("photo_ingest_\(name) ") {
      return line.split(separator: " ").last.flatMap { Double($0) }
    }
    return nil
  }

  /// Milliseconds are enough; digits without an exponent are read by everybody.
  private static func number(_ value: Double?) -> String? {
    guard let value, value.isFinite, value >= 0, value < 1e15 else { return nil }
    let milliseconds = Int64((value * 1000).rounded())
    let rest = milliseconds % 1000
    guard rest != 0 else { return "\(milliseconds / 1000)" }
    let digits = String(rest)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
