import Catalogue
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct TurnTakerTests {
  private let shelf: PhotoShelf
  private let story = RunStory()

  init() throws {
    shelf = try PhotoShelf([])
  }

  private struct Rig {
    let taker: TurnTaker
    let settlement: Settlement

    func settle() throws(RunError) -> (ManifestTotals, [RowSummary]) {
      let result = try settlement.settle(taker)
      return (result.totals, result.problems)
    }

    func take(
      _ turn: Int, _ name: String, _ failure: LoadFailure? = nil, captured: String? = nil, isLastTry: Bool = false
    ) throws(RunError) {
      var row = AssetRow(path: RelativePath(name), status: failure == nil ? .verified : .failed, error: failure)
      row.captured = captured.map { AssetRow.Captured(local: $0, source: "exif:DateTimeOriginal") }
      let photo = LoadedPhoto(row: row, thumbnails: [])
      let outcome: Collector<PhotoLoader>.Outcome =
        failure.map { .failed($0, salvage: photo) } ?? .original(photo)
      try taker.take(turn: turn, Asset(path: RelativePath(name)), outcome, isLastTry: isLastTry)
    }
  }

  private func rig(turns: Int, _ change: (inout RunConfiguration) -> Void = { _ in }) throws -> Rig {
    var configuration = shelf.configuration()
    change(&configuration)
    let output = try OutputFolder.create(configuration.output)
    let catalogue = try Catalogue.open(":memory:")
    let plan = RunPlan(allNew: (0..<turns).map { Candidate(path: RelativePath("turn \($0)"), identity: nil) })
    return Rig(
      taker: TurnTaker(configuration: configuration, catalogue: catalogue, plan: plan, report: story.report),
      settlement: Settlement(
        configuration: configuration, output: output, catalogue: catalogue, plan: plan, census: ThumbnailCensus(),
        unread: [], report: story.report))
  }

  private static let unstable = LoadFailure(.unstable, "the file changed while it was read")
  private static let corrupt = LoadFailure(.corrupt, "the image data is damaged")

  @Test func `rows behind a hole wait for it, and then come in order`() throws {
    let rig = try rig(turns: 4)
    try rig.take(0, "a")
    try rig.take(1, "b", Self.unstable)
    try rig.take(2, "c")
    try rig.take(3, "d")
    #expect(rig.taker.unsettled == [1])
    #expect(story.assets == ["asset 0 a"])
    try rig.take(1, "b", isLastTry: true)
    #expect(story.assets == ["asset 0 a", "asset 1 b", "asset 2 c", "asset 3 d"])
    let (totals, problems) = try rig.settle()
    #expect(totals == ManifestTotals(assets: 4, verified: 4) && problems.isEmpty)
    #expect(story.assets.count == 4, "nothing is told twice")
    #expect(try manifest() == ["a", "b", "c", "d"])
    #expect(try story.lines.flatMap { $0 } == rows())
  }

  @Test func `holes at both ends keep their places too`() throws {
    let rig = try rig(turns: 3)
    try rig.take(0, "a", Self.unstable)
    try rig.take(1, "b")
    try rig.take(2, "c", Self.unstable)
    #expect(story.assets == [] && rig.taker.unsettled == [0, 2])
    try rig.take(0, "a", Self.unstable, isLastTry: true)
    #expect(story.assets == ["asset 0 a", "asset 1 b"])
    try rig.take(2, "c", isLastTry: true)
    let (totals, problems) = try rig.settle()
    #expect(totals == ManifestTotals(assets: 3, verified: 2, failed: 1))
    #expect(problems.map(\.index) == [0] && problems.first?.error?.code == .unstable)
    #expect(try manifest() == ["a", "b", "c"])
  }

  @Test func `progress counts a photo when its row is settled`() throws {
    let rig = try rig(turns: 2)
    try rig.take(0, "a", Self.unstable)
    try rig.take(1, "b")
    try rig.take(0, "a", isLastTry: true)
    #expect(story.words.filter { $0.hasPrefix("progressed") } == ["progressed 1/2 b", "progressed 2/2 a"])
  }

  @Test func `by capture time the order is settled at the end`() throws {
    let rig = try rig(turns: 4) { $0.order = .captured }
    try rig.take(0, "a")
    try rig.take(1, "b", captured: "2024-02-01T00:00:00")
    try rig.take(2, "c", captured: "2024-01-01T00:00:00")
    try rig.take(3, "d", captured: "2024-02-01T00:00:00")
    #expect(story.assets == [])
    _ = try rig.settle()
    #expect(story.assets == ["asset 0 c", "asset 1 b", "asset 2 d", "asset 3 a"])
    #expect(try manifest() == ["c", "b", "d", "a"])
  }

  @Test func `photos that are skipped leave no gap`() throws {
    let rig = try rig(turns: 3) { $0.unsupported = .skip }
    try rig.take(0, "a")
    try rig.take(1, "b", LoadFailure(.unsupported, "HEIC pictures are not decoded"))
    try rig.take(2, "c", Self.corrupt)
    let (totals, _) = try rig.settle()
    #expect(rig.taker.skippedUnsupported == 1)
    #expect(totals == ManifestTotals(assets: 2, verified: 1, failed: 1))
    #expect(story.assets == ["asset 0 a", "asset 1 c"])
    #expect(try manifest() == ["a", "c"])
  }

  @Test(arguments: [
    (ErrorPolicy.stop, 1), (.atMost(0), 1), (.atMost(2), 3), (.atMostPercent(0), 1), (.atMostPercent(25), 2),
    (.atMostPercent(50), 3),
  ])
  func `a policy ends the run at the failure that is one too many`(policy: ErrorPolicy, failures: Int) throws {
    let rig = try rig(turns: 4) { $0.errorPolicy = policy }
    for turn in 0..<(failures - 1) { try rig.take(turn, "p\(turn)", Self.corrupt) }
    #expect {
      try rig.take(failures - 1, "last", Self.corrupt)
    } throws: { error in
      guard case .stoppedByPolicy(let photo, let failure, let count, let cancelled)? = error as? RunError else {
        return false
      }
      return photo == RelativePath("last") && failure == Self.corrupt && count == failures && cancelled == 4 - failures
    }
  }

  @Test func `a stop cancels whatever was not told, also what waited behind a hole`() throws {
    let rig = try rig(turns: 6) { $0.errorPolicy = .stop }
    #expect(rig.taker.cancelledTurns == [])
    try rig.take(0, "a")
    try rig.take(1, "b", Self.unstable)
    try rig.take(2, "c")
    #expect(throws: RunError.self) { try rig.take(3, "d", Self.corrupt) }
    #expect(story.assets == ["asset 0 a"])
    #expect(rig.taker.cancelledTurns == [1, 2, 4, 5])
  }

  @Test func `a stop by capture time cancels all but its cause, and not what is left out`() throws {
    let rig = try rig(turns: 4) {
      $0.errorPolicy = .atMost(1)
      $0.unsupported = .skip
      $0.order = .captured
    }
    try rig.take(0, "a", Self.corrupt)
    try rig.take(1, "b", LoadFailure(.unsupported, "GIF pictures are not decoded"))
    #expect {
      try rig.take(2, "c", Self.corrupt)
    } throws: { error in
      guard case .stoppedByPolicy(_, _, 2, 2)? = error as? RunError else { return false }
      return true
    }
    #expect(rig.taker.cancelledTurns == [0, 3])
  }

  @Test func `a photo that is looked at again is no failure yet, and a skipped one is none`() throws {
    let rig = try rig(turns: 3) {
      $0.errorPolicy = .stop
      $0.unsupported = .skip
    }
    try rig.take(0, "a", Self.unstable)
    try rig.take(1, "b", LoadFailure(.unsupported, "GIF pictures are not decoded"))
    try rig.take(0, "a", isLastTry: true)
    let (totals, _) = try rig.settle()
    #expect(totals.failed == 0)
  }

  @Test func `a failure of which nothing is left has a row all the same`() throws {
    let rig = try rig(turns: 1)
    try rig.taker.take(
      turn: 0, Asset(path: RelativePath("gone.jpg")), .failed(LoadFailure(.vanished, "cannot be opened")),
      isLastTry: false)
    let (totals, problems) = try rig.settle()
    #expect(totals.failed == 1 && problems.first?.path == RelativePath("gone.jpg"))
  }

  @Test func `a cancelled turn ends the run`() throws {
    let rig = try rig(turns: 1)
    #expect {
      try rig.taker.take(turn: 0, Asset(path: RelativePath("a")), .cancelled, isLastTry: false)
    } throws: { if case .cancelled? = $0 as? RunError { true } else { false } }
  }

  @Test func `a hundred problems are kept by name and all are counted`() throws {
    let rig = try rig(turns: 130)
    for turn in 0..<130 { try rig.take(turn, "p\(turn)", Self.corrupt) }
    let (totals, problems) = try rig.settle()
    #expect(totals.failed == 130 && problems.map(\.index) == Array(0..<100))
  }

  // MARK: What was written

  private func manifest() throws -> [String] {
    var paths: [String] = []
    _ = try FinishedManifest(directory: Array(shelf.output.utf8)).read { row throws(RunError) in
      #expect(row.index == paths.count)
      paths.append(row.path.display)
      return true
    }
    return paths
  }

  /// The manifest's rows as bytes, header and end record left out.
  private func rows() throws -> [UInt8] {
    let lines = try shelf.folder.bytes(of: "out/manifest.jsonl").split(separator: 0x0A)
    return lines.dropFirst().dropLast().flatMap { $0 + [0x0A] }
  }
}
