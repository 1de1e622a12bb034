import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Tells a monitor how the last run ended, whatever its end.
@Suite(.timeLimit(.minutes(2)))
struct PrometheusTests {
  static let gauges: Set<String> = [
    "photo_ingest_last_run_timestamp_seconds", "photo_ingest_last_success_timestamp_seconds",
    "photo_ingest_last_run_duration_seconds", "photo_ingest_last_run_exit_code", "photo_ingest_assets",
    "photo_ingest_bytes_read",
  ]

  /// Reads the text as a strict reader does: HELP and TYPE before the samples of each name, plain numbers, no times.
  private func samples(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> [String: Double] {
    var samples: [String: Double] = [:]
    var helped = ""
    var typed = ""
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("\n") && !text.contains("\n\n") && !text.contains("\r"), sourceLocation: sourceLocation)
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*/) {
        helped = String(match.1)
      } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) gauge/) {
        typed = String(match.1)
        #expect(typed == helped, sourceLocation: sourceLocation)
      } else if let match = line.wholeMatch(of: /([a-z_]+)(\{status="[a-z]+"\})? ([0-9]+(\.[0-9]+)?)/) {
        #expect(String(match.1) == typed, "\(line)", sourceLocation: sourceLocation)
        let name = String(match.1) + String(match.2 ?? "")
        #expect(samples[name] == nil, "\(line)", sourceLocation: sourceLocation)
        samples[name] = Double(match.3)
      } else {
        Issue.record("\(line)", sourceLocation: sourceLocation)
      }
    }
    return samples
  }

  private func standing(_ stage: RunStage) throws -> [String: Double] {
    samples(try stage.folder.bytes(of: "out/photo-ingest.prom"))
  }

  @Test func `a run writes every gauge, and a failed one keeps the last success`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try stage.photo("cut.jpg", Array(Pictures.small[2].dropLast(20)))
    let before = Date().timeIntervalSince1970
    try await stage.command(["--manifest", "prometheus"]).after("umask 077").run().expectCode(3)
    let first = try standing(stage)
    #expect(Set(first.keys.map { String($0.prefix { $0 != "{" }) }) == Self.gauges)
    #expect(first["photo_ingest_assets{status=\"verified\"}"] == 2)
    #expect(first["photo_ingest_assets{status=\"damaged\"}"] == 1)
    #expect(first["photo_ingest_assets{status=\"failed\"}"] == 0)
    #expect(first["photo_ingest_last_run_exit_code"] == 3)
    let success = try #require(first["photo_ingest_last_success_timestamp_seconds"])
    #expect(success >= before - 1 && success <= Date().timeIntervalSince1970 + 1)
    #expect(success == first["photo_ingest_last_run_timestamp_seconds"])
    #expect(
      try stage.rows().compactMap { $0.integer("bytes") }.reduce(0, +) == Int(first["photo_ingest_bytes_read"] ?? 0))
    var status = stat()
    #expect(unsafe stat(stage.output + "/photo-ingest.prom", &status) == 0 && status.st_mode & 0o777 == 0o644)

    // A file that stands is kept current, without the option too.
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["away"])
    try await stage.run([], code: 1)
    let failed = try standing(stage)
    #expect(failed["photo_ingest_last_run_exit_code"] == 1)
    #expect(failed["photo_ingest_last_success_timestamp_seconds"] == success)
    #expect(failed["photo_ingest_assets{status=\"verified\"}"] == 2)
    #expect(failed["photo_ingest_bytes_read"] == nil)
    #expect(stage.litter() == [])
  }

  @Test func `an export says what is known`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    let before = Date().timeIntervalSince1970
    try await stage.run([], code: 0)
    let bare = try await stage.invoke(["export", "--format", "prometheus", stage.output], code: 0)
    #expect(samples(bare.output)["photo_ingest_assets{status=\"verified\"}"] == 2)
    #expect(Set(samples(bare.output).keys.map { String($0.prefix { $0 != "{" }) }) == Self.gauges)
    let success = try #require(samples(bare.output)["photo_ingest_last_success_timestamp_seconds"])
    #expect(success == samples(bare.output)["photo_ingest_last_run_timestamp_seconds"])
    #expect(success >= before - 1 && success <= Date().timeIntervalSince1970 + 1)

    // A run that finds an empty source fails, and the one before stays the last success.
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["away"])
    try stage.folder.add([.folder("in", [])])
    try await stage.run([], code: 1)
    let path = stage.folder["x.prom"]
    _ = try await stage.invoke(["export", "--format", "prometheus", "-o", path, stage.output], code: 0)
    let known = samples(try stage.folder.bytes(of: "x.prom"))
    #expect(known["photo_ingest_last_run_exit_code"] == 1)
    #expect(known["photo_ingest_last_success_timestamp_seconds"] == success)
    #expect(try #require(known["photo_ingest_last_run_timestamp_seconds"]) > success)
    #expect(known["photo_ingest_assets{status=\"verified\"}"] == 2)
  }

  @Test func `gauges of an older run say nothing of the newest`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--manifest", "prometheus"], code: 0)
    let gauges = try stage.folder.bytes(of: "out/photo-ingest.prom")
    try stage.photo("cut.jpg", Array(Pictures.small[2].dropLast(20)))
    try await stage.run([], code: 3)
    let newest = try standing(stage)
    try stage.folder.file("out/photo-ingest.prom", gauges)
    let exported = try await stage.invoke(["export", "--format", "prometheus", stage.output], code: 0)
    let known = samples(exported.output)
    #expect(known["photo_ingest_last_run_exit_code"] == 3)
    #expect(known["photo_ingest_bytes_read"] == newest["photo_ingest_bytes_read"])
    let times = [known, newest].compactMap { $0["photo_ingest_last_run_timestamp_seconds"] }
    #expect(
      times.count == 2 && abs(times[0] - times[1]) < 10
        && times[0] > samples(gauges)["photo_ingest_last_run_timestamp_seconds"] ?? .infinity)
  }

  @Test func `a stranger's folder gets no file from a run that was refused there`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.file("out/manifest.json", [1])
    try await stage.run(["--manifest", "json,prometheus"], code: 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.output) == ["manifest.json"])
    try await stage.run(["--output", stage.folder["none"], "--manifest", "prometheus", "--dry-run"], code: 0)
  }

  static let promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: promtool != nil, "promtool is not installed"))
  func `promtool finds nothing to say`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--manifest", "prometheus"], code: 0)
    let result = try await Command(
      try #require(Self.promtool), ["check", "metrics"], input: try stage.folder.bytes(of: "out/photo-ingest.prom")
    ).run()
    #expect(result.exitCode == 0 && result.outputText + result.errorText == "", "\(result)")
  }
}

extension CommandResult {
  fileprivate func expectCode(_ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(end == .exited(code), "\(self)", sourceLocation: sourceLocation)
  }
}
