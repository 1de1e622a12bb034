public import IngestCore
import IngestFiles

/// Keeps `DIR/photo-ingest.prom` up to date, and makes the same text from what a run has left behind.
public struct PrometheusFile: Sendable {
  private static let name = ManifestFormat.prometheus.fileName
  private static let longestFile = 64 << 10
  /// The end record is far shorter.
  private static let longestEnd = 4 << 10

  /// The output folder, as exact bytes.
  public let directory: [UInt8]

  public init(directory: [UInt8]) {
    self.directory = directory
  }

  /// Whether a run has written the file before; it is then kept current, or it would contradict the manifest.
  public var isStanding: Bool { content(Self.name) != nil }

  /// Writes the figures of a run that has just ended, however it ended.
  ///
  /// Figures that are not given come from what stands: the counts from the manifest, the last success from the file
  /// before. Nothing is made in a folder in which no run has written. Takes the output's lock for it: `locked` when another
  /// run has the folder by now, whose gauges are its own to write.
  public func write(_ figures: LastRunFigures) throws(RunError) {
    guard FolderIdentity.of(directory + "/.photo-ingest".utf8) != nil else { return }
    let lock = OutputLock(directory)
    defer { lock.finish() }
    guard try writing({ () throws(FileError) in try lock.obtain() }) else {
      throw .locked(output: directory, by: nil, waited: nil)
    }
    var figures = figures
    figures.totals = figures.totals ?? statedTotals
    if figures.lastSuccess == nil, let before = content(Self.name) {
      figures.lastSuccess = PrometheusText.value(of: "last_success_timestamp_seconds", in: before)
    }
    do {
      let output = try OutputFolder.create(directory)
      let file = try output.beginFile(Self.name)
      try file.append(PrometheusText.encode(figures))
      // Its reader is another user, whatever the mask of a scheduled run says.
      try file.openToReaders()
      try file.commit()
    } catch {
      throw .outputUnusable(error)
    }
  }

  /// The text for the manifest that stands: its counts, and what is known of the last run.
  func exported() throws(RunError) -> [UInt8] {
    PrometheusText.encode(try exportedFigures())
  }

  /// The figures of that text.
  func exportedFigures() throws(RunError) -> LastRunFigures {
    let summary = try FinishedManifest(directory: directory).read { _ throws(RunError) in true }
    let reported = reportedFigures
    let standing = standingFigures
    // Every run that had the folder leaves a report, and only some write gauges; gauges also tell of runs that never had
    // it. All that is told of the last run is told of one and the same.
    var figures = (standing.ended ?? 0) >= (reported.ended ?? 0) ? standing : reported
    figures.totals = summary?.totals
    figures.lastSuccess = [reported.lastSuccess, standing.lastSuccess].compactMap { $0 }.max()
    return figures
  }

  /// What the report of the last run says.
  private var reportedFigures: LastRunFigures {
    var figures = LastRunFigures()
    guard let report = content(LastRun.fileName).flatMap({ try? JSONReader().read($0) }) else { return figures }
    figures.ended = report["ended"]?.doubleValue
    figures.duration = report["seconds"]?.doubleValue
    figures.exitCode = report["exit_code"]?.integerValue.flatMap { Int(exactly: $0) }
    figures.bytesRead = report["bytes_read"]?.integerValue.flatMap { UInt64(exactly: $0) }
    figures.lastSuccess = report["last_success"]?.doubleValue
    return figures
  }

  /// What the gauges say that stand.
  private var standingFigures: LastRunFigures {
    var figures = LastRunFigures()
    guard let standing = content(Self.name) else { return figures }
    func value(_ name: String) -> Double? { PrometheusText.value(of: name, in: standing) }
    figures.ended = value("last_run_timestamp_seconds")
    figures.duration = value("last_run_duration_seconds")
    figures.exitCode = value("last_run_exit_code").flatMap { Int(exactly: $0) }
    figures.bytesRead = value("bytes_read").flatMap { UInt64(exactly: $0) }
    figures.lastSuccess = value("last_success_timestamp_seconds")
    return figures
  }

  /// The counts in the end record of the manifest that stands, read from its end: it may be long.
  var statedTotals: ManifestTotals? {
    guard let folder = try? SourceFolder.open(directory),
      let file = try? folder.open(RelativePath("manifest.jsonl")),
      let end = try? file.lastBytes(Self.longestEnd).split(separator: UInt8(ascii: "\n")).last,
      let record = try? JSONReader().read(Array(end)), record["record"]?.stringValue == "end"
    else { return nil }
    func count(_ key: String) -> Int { record[key]?.integerValue.flatMap { Int(exactly: $0) } ?? 0 }
    return ManifestTotals(
      assets: count("assets"), verified: count("verified"), damaged: count("damaged"), failed: count("failed"))
  }

  private func content(_ name: String) -> [UInt8]? {
    guard let folder = try? SourceFolder.open(directory), let file = try? folder.open(RelativePath(name)),
      file.identity.size <= UInt64(Self.longestFile)
    else { return nil }
    return try? file.lastBytes(Self.longestFile)
  }
}
