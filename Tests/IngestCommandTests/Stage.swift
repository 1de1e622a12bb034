import IngestCore
import IngestFiles
import Synchronization

@testable import Ingest
@testable import IngestCommand

/// Keeps what is written to it, and can pretend to be a terminal.
final class Recorder: ByteOutput {
  private let written = Mutex<[[UInt8]]>([])
  private let width: Mutex<Int?>
  /// Whether the reader has gone away.
  private let isBroken: Bool
  let isTerminal: Bool
  /// Why nothing can be written, on a full disk.
  let lossReason: String?
  let isJournal: Bool

  init(terminal width: Int? = nil, isBroken: Bool = false, lossReason: String? = nil, isJournal: Bool = false) {
    self.width = Mutex(width)
    self.isTerminal = width != nil
    self.isBroken = isBroken
    self.lossReason = lossReason
    self.isJournal = isJournal
  }

  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    guard !isBroken, lossReason == nil else { return false }
    written.withLock { $0.append(bytes) }
    return true
  }

  var terminalWidth: Int? { width.withLock { $0 } }
  func resize(_ columns: Int) { width.withLock { $0 = columns } }

  var bytes: [UInt8] { written.withLock { Array($0.joined()) } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// What each call wrote.
  var pieces: [String] { written.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Shows the time that a test sets.
final class ScriptedClock: Sendable {
  private let time = Mutex(Duration.zero)
  var now: Duration { time.withLock { $0 } }
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// Plays the facade: remembers what it was asked and answers as the test says.
final class ScriptedEngine: IngestEngine {
  typealias Script = @Sendable (CollectionControl, IngestRun.Report) throws(RunError) -> RunSummary

  typealias AlbumsScript = @Sendable (AlbumsConfiguration, AlbumsRun.Report) throws(RunError) -> AlbumsSummary

  private let asked = Mutex<RunConfiguration?>(nil)
  private let albumsAsked = Mutex<AlbumsConfiguration?>(nil)
  private let exported = Mutex<ManifestExport?>(nil)
  private let inspection = Mutex<PhotoInspection?>(nil)
  private let verified = Mutex<OutputVerification?>(nil)
  private let figures = Mutex<LastRunFigures?>(nil)
  private let published = Mutex<PublishRun?>(nil)
  let receipts: [PublishReceipt]
  let gaugeError: RunError?
  let findings: [VerifyFinding]
  let script: Script
  let albumsScript: AlbumsScript
  let candidates: [RelativePath]
  let unreadableFolders: Int
  let rows: [AssetRow]
  let pieces: [[UInt8]]

  init(
    candidates: [RelativePath] = [], unreadableFolders: Int = 0, rows: [AssetRow] = [], pieces: [[UInt8]] = [],
    findings: [VerifyFinding] = [], gaugeError: RunError? = nil,
    receipts: [PublishReceipt] = [],
    script: @escaping Script = { _, _ in .sample() },
    albums: @escaping AlbumsScript = { configuration, _ in
      AlbumsSummary(results: configuration.sampleAlbums.map { .sample($0) }, elapsed: .milliseconds(2500))
    }
  ) {
    self.candidates = candidates
    self.unreadableFolders = unreadableFolders
    self.rows = rows
    self.pieces = pieces
    self.findings = findings
    self.gaugeError = gaugeError
    self.receipts = receipts
    self.script = script
    albumsScript = albums
  }

  var configuration: RunConfiguration? { asked.withLock { $0 } }
  var albumsConfiguration: AlbumsConfiguration? { albumsAsked.withLock { $0 } }
  var inspected: PhotoInspection? { inspection.withLock { $0 } }
  var lastVerification: OutputVerification? { verified.withLock { $0 } }
  var lastPublication: PublishRun? { published.withLock { $0 } }
  var lastFigures: LastRunFigures? { figures.withLock { $0 } }
  var lastExport: ManifestExport? { exported.withLock { $0 } }

  func run(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report
  ) throws(RunError) -> RunSummary {
    asked.withLock { $0 = configuration }
    return try script(control, report)
  }

  func listCandidates(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report,
    candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary {
    asked.withLock { $0 = configuration }
    for path in candidates { candidate(path) }
    return CandidateSummary(count: candidates.count, leftOut: ["hidden": 2], unreadableFolders: unreadableFolders)
  }

  func runAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report
  ) throws(RunError) -> AlbumsSummary {
    asked.withLock { $0 = configuration.common }
    albumsAsked.withLock { $0 = configuration }
    return try albumsScript(configuration, report)
  }

  func listAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report,
    candidate: (Album, RelativePath) -> Void
  ) throws(RunError) -> [AlbumListing] {
    albumsAsked.withLock { $0 = configuration }
    return configuration.sampleAlbums.map { album in
      for path in candidates { candidate(album, path) }
      let summary = CandidateSummary(
        count: candidates.count, leftOut: ["hidden": 2], unreadableFolders: unreadableFolders)
      return AlbumListing(album: album, outcome: .success(summary))
    }
  }

  func albums(below directory: [UInt8]) throws(RunError) -> AlbumList? { nil }

  func verifyAlbums(
    _ verification: AlbumsVerification, control: CollectionControl, report: @escaping AlbumsVerification.Report
  ) throws(RunError) -> [AlbumCheck] { [] }

  func bagAlbums(
    _ export: AlbumsBagExport, control: CollectionControl
  ) throws(RunError) -> [(name: RelativePath, outcome: Result<BagExport.Result, RunError>)] { [] }

  func exportAlbums(
    _ export: AlbumsManifestExport, to destination: ManifestExport.Destination
  ) throws(RunError) -> AlbumsManifestExport.Result { AlbumsManifestExport.Result() }

  func export(_ export: ManifestExport, to destination: ManifestExport.Destination) throws(RunError) -> Int {
    exported.withLock { $0 = export }
    if case .pieces(let take) = destination {
      for piece in pieces where !take(piece) { break }
    }
    return 2
  }

  func bag(_ export: BagExport, control: CollectionControl) throws(RunError) -> BagExport.Result {
    throw .bagUnusable(path: RelativePath("a.jpg"), reason: "is not there")
  }

  func verify(
    _ verification: OutputVerification, control: CollectionControl, report: @escaping OutputVerification.Report
  ) throws(RunError) -> VerifySummary {
    verified.withLock { $0 = verification }
    var summary = VerifySummary()
    for finding in findings {
      report(.finding(finding))
      summary.findings[finding.kind, default: 0] += 1
    }
    summary.checked = [.source: 3]
    return summary
  }

  func publish(
    _ publication: PublishRun, control: CollectionControl, report: @escaping PublishRun.Report
  ) throws(RunError) -> PublishSummary {
    published.withLock { $0 = publication }
    var summary = PublishSummary()
    for receipt in receipts {
      report(.photo(receipt))
      summary.counts[receipt.status, default: 0] += 1
    }
    (summary.lists, summary.posted) = (1, receipts.contains { $0.status == .failed } ? 0 : 1)
    return summary
  }

  func write(_ figures: LastRunFigures, to file: PrometheusFile) throws(RunError) {
    self.figures.withLock { $0 = figures }
    if let gaugeError { throw gaugeError }
  }

  func inspect(
    _ path: [UInt8], with inspection: PhotoInspection, control: CollectionControl,
    degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow {
    self.inspection.withLock { $0 = inspection }
    guard let row = rows.first(where: { $0.path.bytes == path }) else {
      throw .inputUnusable(.missing(path))
    }
    if let preview = row.preview { degraded(preview) }
    return row
  }
}

/// Holds one pretended process.
struct Stage {
  var output = Recorder()
  var errors = Recorder()
  var log = Recorder()
  var engine = ScriptedEngine()
  var environment: [String: String] = [:]
  var files: [String: [UInt8]] = [:]
  var folders: Set<String> = []

  struct NoSuchFile: Error, CustomStringConvertible {
    let description: String
  }

  func surroundings(_ words: [[UInt8]]) -> Surroundings {
    let (files, folders, environment, log) = (files, folders, environment, log)
    var surroundings = Surroundings(
      arguments: words, environment: { environment[$0].map { Array($0.utf8) } }, standardOutput: output,
      standardError: errors, engine: engine)
    surroundings.readFile = { path, _ in
      let name = String(decoding: path, as: UTF8.self)
      guard let bytes = files[name] else {
        throw NoSuchFile(description: "\(name): cannot be opened: No such file or directory")
      }
      return bytes
    }
    surroundings.isFolder = { folders.contains(String(decoding: $0, as: UTF8.self)) }
    surroundings.openLog = { _ in log }
    surroundings.processorCount = 3
    return surroundings
  }

  func run(_ words: String...) -> Ending {
    run(words: words)
  }

  func run(words: [String]) -> Ending {
    Command.run(surroundings(words.map { Array($0.utf8) }))
  }

  /// The rich request that the words make.
  func request(_ words: String...) throws -> RunRequest {
    let surroundings = surroundings(words.map { Array($0.utf8) })
    let low = try ArgumentParser(isFolder: surroundings.isFolder).parse(surroundings.arguments)
    return try RunRequestReader(surroundings: surroundings).read(low)
  }

  /// The sentence with which the words are refused; nil when they are accepted.
  func refusal(_ words: [String]) -> String? {
    let surroundings = surroundings(words.map { Array($0.utf8) })
    do {
      let low = try ArgumentParser(isFolder: surroundings.isFolder).parse(surroundings.arguments)
      _ = try RunRequestReader(surroundings: surroundings).read(low)
      return nil
    } catch {
      return error.sentence
    }
  }
}

extension FileError {
  /// ENOENT.
  static func missing(_ path: [UInt8]) -> FileError {
    FileError(path: path, operation: "cannot be opened", errno: 2)
  }
}

extension RunSummary {
  static func sample(
    verified: Int = 3, problems: [RowSummary] = [], leftOut: [String: Int] = [:], unreadableFolders: Int = 0
  ) -> RunSummary {
    var totals = ManifestTotals(assets: 0, verified: 0, damaged: 0, failed: 0)
    for _ in 0..<verified { totals.add(.verified) }
    for problem in problems { totals.add(problem.status) }
    return RunSummary(
      totals: totals, problems: problems, leftOut: leftOut, unreadableFolders: unreadableFolders,
      bytesRead: 3_000_000, elapsed: .milliseconds(1500))
  }
}

extension RowSummary {
  static let cut = RowSummary(
    index: 1, path: RelativePath("holiday/IMG_7.jpg"), status: .damaged,
    error: LoadFailure(.truncated, "the file ends before the image does: Premature end of JPEG file"))
  static let text = RowSummary(
    index: 2, path: RelativePath("notes.jpg"), status: .failed,
    error: LoadFailure(.notAnImage, "the first bytes are those of no image"))
  static let good = RowSummary(index: 0, path: RelativePath("a.jpg"), status: .verified, error: nil)
}

extension AlbumsConfiguration {
  /// One album for each folder, named as it is.
  var sampleAlbums: [Album] {
    folders.map { Album(name: RelativePath($0), source: $0, below: directory) }
  }
}

extension AlbumResult {
  static func sample(_ album: Album, _ summary: RunSummary = .sample()) -> AlbumResult {
    AlbumResult(
      album: album, outcome: .success(summary), counts: summary.totals,
      errors: summary.problems.map {
        AlbumError(
          code: $0.error?.code.rawValue ?? "", message: $0.error?.message ?? "", index: $0.index, path: $0.path)
      })
  }

  static func failed(_ album: Album, _ error: RunError) -> AlbumResult {
    AlbumResult(
      album: album, outcome: .failure(error), counts: ManifestTotals(),
      errors: [AlbumError(code: "source-unusable", message: "it is not there")])
  }
}
