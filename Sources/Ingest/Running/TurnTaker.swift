import IngestCore
import IngestFiles
import PhotoCodecs

/// Takes finished turns in order on the run's thread: spools rows, keeps count, tells the story.
final class TurnTaker {
  private let configuration: RunConfiguration
  private let output: OutputFolder
  private let report: IngestRun.Report
  private let turns: Int
  private(set) var spool: RowSpool
  /// Turns whose photo changed while it was read, to be loaded once more.
  private(set) var unsettled: [Int] = []
  private(set) var skippedUnsupported = 0
  private(set) var thumbnailSizes = ThumbnailSizes()
  private(set) var listedThumbnails = ListedThumbnails()
  private(set) var bytesRead: UInt64 = 0
  private var finished = 0
  private var failures = 0
  /// The next index whose `asset` event is to be told, while rows come in manifest order.
  private(set) var told = 0

  init(
    configuration: RunConfiguration, output: OutputFolder, turns: Int, report: @escaping IngestRun.Report
  ) throws(FileError) {
    self.configuration = configuration
    self.output = output
    self.report = report
    self.turns = turns
    spool = RowSpool(file: try output.spool(), order: configuration.order, turns: turns)
  }

  /// Takes one turn. `isLastTry` says that a photo that still changes is now called unstable.
  func take(
    turn: Int, _ asset: Asset, _ outcome: Collector<PhotoLoader>.Outcome, isLastTry: Bool
  ) throws(RunError) {
    var photo: LoadedPhoto
    switch outcome {
    case .original(let loaded): photo = loaded
    case .failed(_, let salvage?): photo = salvage
    case .failed(let failure, nil):
      photo = LoadedPhoto(row: AssetRow(path: asset.path, status: .failed, error: failure), thumbnails: [])
    case .standIn, .cancelled: throw .cancelled
    }
    if photo.isUnstable, !isLastTry {
      unsettled.append(turn)
      return
    }
    do throws(FileError) {
      try keep(&photo, turn: turn)
    } catch {
      throw .outputUnusable(error)
    }
    let isListed = !isSkipped(photo.row)
    if isListed, let failure = photo.row.error { try countFailure(failure, at: asset.path) }
  }

  /// Whether the photo gets no row (see `UnsupportedPolicy`).
  private func isSkipped(_ row: AssetRow) -> Bool {
    configuration.unsupported == .skip && row.error?.code == .unsupported
  }

  /// Keeps what the photo leaves behind, its thumbnails written by then, and tells of it.
  private func keep(_ photo: inout LoadedPhoto, turn: Int) throws(FileError) {
    if let deposit = photo.deposit { photo.row.thumbnails = try deposit.wait() }
    for thumbnail in photo.row.thumbnails { listedThumbnails.insert(path: thumbnail.path) }
    let isSkipped = isSkipped(photo.row)
    if isSkipped {
      skippedUnsupported += 1
    } else {
      thumbnailSizes.add(photo.row)
    }
    let encoded = try spool.put(photo.row, turn: turn, isListed: !isSkipped)
    bytesRead += photo.row.bytes ?? 0
    finished += 1
    report(.progressed(finished: finished, of: turns, path: photo.row.path, status: photo.row.status))
    if !configuration.settlesIndexLate { try tell(encoded, of: photo.row, turn: turn) }
  }

  /// Tells a row when its turn to be told has come, and the rows behind it that waited for it.
  private func tell(_ encoded: ManifestEncoder.EncodedRow, of row: AssetRow, turn: Int) throws(FileError) {
    guard turn == told else { return }
    let summary = RowSummary(index: turn, path: row.path, status: row.status, error: row.error)
    report(.asset(line: encoded.line(index: turn), row: summary))
    told += 1
    while told < turns, let line = try spool.line(turn: told, index: told) {
      report(.asset(line: line, row: RowSummary(line: line, index: told)))
      told += 1
    }
  }

  private func countFailure(_ failure: LoadFailure, at path: RelativePath) throws(RunError) {
    failures += 1
    let isOver: Bool =
      switch configuration.errorPolicy {
      case .continue: false
      case .stop: true
      case .atMost(let count): failures > count
      case .atMostPercent(let percent): Double(failures) * 100 > percent * Double(turns)
      }
    if isOver { throw .stoppedByPolicy(photo: path, failure: failure, failures: failures) }
  }
}
