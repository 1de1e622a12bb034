/// Writes `photo-ingest.prom`: gauges in the text format of Prometheus, for the textfile collector of its node exporter.
///
/// No file names, no times behind the values, LF line ends and one at the end: the collector refuses a whole file for
/// less. A gauge whose value is not known is left out.
public enum PrometheusText {
  public static func encode(_ figures: LastRunFigures) -> [UInt8] {
    encode([(album: nil, figures)])
  }

  /// The same for several albums, each with a label of its name.
  public static func encode(_ parts: [(album: RelativePath?, figures: LastRunFigures)]) -> [UInt8] {
    var text = ""
    func gauge(_ name: String, _ help: String, _ values: (LastRunFigures) -> [(status: String?, value: String?)]) {
      let known = parts.flatMap { album, figures in
        values(figures).compactMap { entry in entry.value.map { (labels(album, entry.status), $0) } }
      }
      guard !known.isEmpty else { return }
      text += "# HELP photo_ingest_\(name) \(help)\n# TYPE photo_ingest_\(name) gauge\n"
      for (labels, value) in known { text += "photo_ingest_\(name)\(labels) \(value)\n" }
    }
    gauge("assets", "Photos of the manifest by status.") { figures in
      [
        ("damaged", figures.totals.map { "\($0.damaged)" }), ("failed", figures.totals.map { "\($0.failed)" }),
        ("verified", figures.totals.map { "\($0.verified)" }),
      ]
    }
    gauge("bytes_read", "Bytes of photos that the last run has read.") { [(nil, $0.bytesRead.map { "\($0)" })] }
    gauge("last_run_duration_seconds", "How long the last run took.") { [(nil, number($0.duration))] }
    gauge("last_run_exit_code", "Exit code of the last run; a signal counts 128 more.") {
      [(nil, $0.exitCode.map { "\($0)" })]
    }
    gauge("last_run_timestamp_seconds", "When the last run ended.") { [(nil, number($0.ended))] }
    gauge("last_success_timestamp_seconds", "When a run last ended with a whole manifest (exit code 0 or 3).") {
      [(nil, number($0.lastSuccess))]
    }
    return Array(text.utf8)
  }

  private static func labels(_ album: RelativePath?, _ status: String?) -> String {
    let labels = album.map { ["album=\"\(escaped($0.display))\""] } ?? []
    let all = labels + (status.map { ["status=\"\($0)\""] } ?? [])
    return all.isEmpty ? "" : "{\(all.joined(separator: ","))}"
  }

  /// The value of a label, with the three escapes that the format has.
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
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
