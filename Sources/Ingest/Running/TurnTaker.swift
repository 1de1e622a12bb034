import Catalogue
import IngestCore
import IngestFiles
import PhotoCodecs

/// Takes finished turns on the run's thread: remembers rows, keeps count, tells the story in the order of the manifest.
final class TurnTaker {
  private let configuration: RunConfiguration
  private let catalogue: Catalogue
  private let plan: RunPlan
  private let originals: OriginalKeeper?
  private let report: IngestRun.Report
  private let recipe: RowRecipe
  private let encoder: ManifestEncoder
  private let turns: Int
  private(set) var ledger: RowLedger
  /// Turns whose photo changed while it was read, to be loaded once more.
  private(set) var unsettled: [Int] = []
  private(set) var skippedUnsupported = 0
  private(set) var thumbnailSizes = ThumbnailSizes()
  private(set) var listedThumbnails = ListedThumbnails()
  private(set) var bytesRead: UInt64 = 0
  private(set) var reads: [ReadReason: Int] = [:]
  private(set) var kept = 0
  /// Photos that were known again under another name, by their turns: where they were.
  private(set) var renamed: [Int: RelativePath] = [:]
  private let toRead: Int
  private var finished = 0
  private var failures = 0
  /// The turn at which a policy stopped the run.
  private var cause: Int?
  /// The next index whose `asset` event is to be told, while rows come in manifest order.
  private(set) var told = 0

  init(
    configuration: RunConfiguration, catalogue: Catalogue, plan: RunPlan, originals: OriginalKeeper? = nil,
    report: @escaping IngestRun.Report
  ) {
    self.configuration = configuration
    self.catalogue = catalogue
    self.plan = plan
    self.originals = originals
    self.report = report
    recipe = RowRecipe(configuration)
    encoder = ManifestEncoder(order: configuration.order)
    turns = plan.turns.count
    toRead = plan.loads.count
    ledger = RowLedger(catalogue: catalogue, order: configuration.order, turns: turns)
  }

  /// Takes the turns whose photos are not read. Called once, before the others are taken.
  func takeKnown() throws(RunError) {
    for (turn, action) in plan.turns.enumerated() {
      switch action {
      case .load: break
      case .keep(let row): try keep(row, turn: turn)
      case .shelter(let failure):
        let path = plan.candidates[turn].path
        try store(LoadedPhoto(row: AssetRow(path: path, status: .failed, error: failure), thumbnails: []), turn: turn)
        try countFailure(failure, at: path, turn: turn)
      }
    }
    try tellWaiting(through: turns)
  }

  private func keep(_ row: KeptRow, turn: Int) throws(RunError) {
    let isSkipped = isSkipped(row.error)
    kept += 1
    if isSkipped {
      skippedUnsupported += 1
    } else if let key = row.thumbnailKey {
      listedThumbnails.insert(key: key)
      thumbnailSizes.add(sizes: configuration.thumbnailSizes)
    }
    let entry = RowLedger.Entry(
      line: row.line, status: row.status, error: row.error, reason: nil, isListed: !isSkipped)
    let path = plan.candidates[turn].path
    ledger.put(entry, turn: turn, path: path, captured: row.captured)
    try tellWaiting(through: turn)
    guard row.status != .verified, !isSkipped, configuration.errorPolicy != .continue else { return }
    if let line = try ledger.line(turn: turn, index: turn), let failure = RowSummary(line: line, index: turn).error {
      try countFailure(failure, at: path, turn: turn)
    }
  }

  /// Takes one turn that was read. `isLastTry` says that a photo that still changes is now called unstable.
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
    if let deposit = photo.deposit {
      photo.row.thumbnails = try writing { () throws(FileError) in try deposit.wait() }
    }
    let beside = originals?.sideMark(of: asset.path)
    let lost = try writing { () throws(FileError) -> LoadFailure? in
      isSkipped(photo.row.error?.code) ? nil : try originals?.keep(&photo.row) ?? nil
    }
    if let lost {
      guard isLastTry else { return unsettled.append(turn) }
      photo = LoadedPhoto(row: AssetRow(path: asset.path, status: .failed, error: lost), thumbnails: [])
    }
    try keep(photo, turn: turn, beside: beside)
    if let failure = photo.row.error, !isSkipped(failure.code) {
      try countFailure(failure, at: asset.path, turn: turn)
    }
    try tellWaiting(through: turns)
  }

  /// The turns that a policy's stop cancels: those whose row was not told, whatever is known of them.
  var cancelledTurns: [Int] {
    guard let cause else { return [] }
    return (told..<turns).filter { $0 != cause && ledger.entry(turn: $0)?.isListed != false }
  }

  /// Whether a photo that ended so gets no row (see `UnsupportedPolicy`).
  private func isSkipped(_ error: FailureCode?) -> Bool {
    configuration.unsupported == .skip && error == .unsupported
  }

  /// Keeps what the photo leaves behind, its thumbnails written by then, and tells of it.
  private func keep(_ photo: LoadedPhoto, turn: Int, beside: String?) throws(RunError) {
    try store(photo, turn: turn, beside: beside)
    if case .load(let reason, _) = plan.turns[turn] {
      reads[reason, default: 0] += 1
      renamed[turn] = photo.formerPath
      report(.read(path: photo.row.path, reason: reason, formerPath: photo.formerPath))
    }
    if isSkipped(photo.row.error?.code) { skippedUnsupported += 1 }
    bytesRead += photo.row.bytes ?? 0
    finished += 1
    report(.progressed(finished: finished, of: toRead, path: photo.row.path, status: photo.row.status))
    // What comes behind a photo that ends the run is not told.
    try tellWaiting(through: turn)
  }

  /// Remembers a row. Its thumbnails are durable by now, so that a run that is killed need not read the photo again.
  private func store(_ photo: LoadedPhoto, turn: Int, beside: String? = nil) throws(RunError) {
    let row = photo.row
    let isListed = !isSkipped(row.error?.code)
    if isListed {
      thumbnailSizes.add(row)
      for thumbnail in row.thumbnails { listedThumbnails.insert(path: thumbnail.path) }
    }
    let encoded = encoder.row(row)
    let identity = photo.identity ?? plan.candidates[turn].identity
    let fresh = FreshPhoto(
      path: row.path.bytes, status: row.status, error: row.error?.code,
      options: recipe.text(endingIn: row.error?.code), stamp: identity.map { FileStamp($0) },
      thumbnails: row.thumbnails.count, thumbnailBytes: row.thumbnails.reduce(0) { $0 + $1.bytes },
      thumbnailKey: row.thumbnails.first.flatMap { ListedThumbnails.key($0.path) },
      captured: row.captured?.local, beside: beside,
      line: StoredLine(bytes: encoded.bytes, indexOffset: encoded.indexOffset))
    var reason: ReadReason?
    if case .load(let why, _) = plan.turns[turn] { reason = why }
    do {
      let line = try catalogue.store(fresh, dropping: ManifestState.key).line
      let entry = RowLedger.Entry(
        line: line, status: row.status, error: row.error?.code, reason: reason, isListed: isListed)
      ledger.put(entry, turn: turn, path: row.path, captured: row.captured?.local)
    } catch {
      throw RunError(error)
    }
  }

  /// Tells the rows whose turn to be told has come, none behind a turn.
  private func tellWaiting(through last: Int) throws(RunError) {
    guard !configuration.settlesIndexLate else { return }
    while told < turns, told <= last, let entry = ledger.entry(turn: told) {
      defer { told += 1 }
      guard configuration.tells(entry), let line = try ledger.line(turn: told, index: told) else { continue }
      report(.asset(line: line, row: RowSummary(line: line, index: told, reason: entry.reason)))
    }
  }

  private func countFailure(_ failure: LoadFailure, at path: RelativePath, turn: Int) throws(RunError) {
    failures += 1
    let isOver: Bool =
      switch configuration.errorPolicy {
      case .continue: false
      case .stop: true
      case .atMost(let count): failures > count
      case .atMostPercent(let percent): Double(failures) * 100 > percent * Double(turns)
      }
    guard isOver else { return }
    cause = turn
    throw .stoppedByPolicy(
      photo: path, failure: failure, failures: failures, cancelled: cancelledTurns.count)
  }
}

extension RunConfiguration {
  /// Whether an `asset` event is told of a row.
  func tells(_ entry: RowLedger.Entry) -> Bool {
    tellsEveryRow || entry.reason != nil
  }
}
