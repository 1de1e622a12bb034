import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct PhotoInspectionTests {
  private func inspect(
    _ path: String, decoding: Decoding = .scaled, limits: LoadLimits = LoadLimits(),
    control: CollectionControl = CollectionControl()
  ) async throws -> (row: AssetRow, previews: [AssetRow.Preview]) {
    let inspection = PhotoInspection(limits: limits, decoding: decoding)
    return try await onOwnThread { () throws(RunError) in
      let previews = Guarded<[AssetRow.Preview]>([])
      let row = try inspection.inspect(
        Array(path.utf8), control: control, degraded: { preview in previews.withLock { $0.append(preview) } })
      return (row, previews.withLock { $0 })
    }
  }

  @Test(arguments: [
    ("embedded.jpg", PhotoShelf.withStandIn, AssetRow.Preview(source: .embedded, width: 40, height: 24)),
    ("progressive.jpg", TinyJPEG.progressive.bytes, AssetRow.Preview(source: .scan, width: 5, height: 3)),
    ("sequential.jpg", TinyJPEG.baseline.bytes, AssetRow.Preview(source: .scaled, width: 5, height: 3)),
    ("plain.png", TinyPNG(13, 11).bytes, AssetRow.Preview(source: .scaled, width: 13, height: 11)),
  ])
  func `both events of a photo are told, at any price`(
    name: String, bytes: [UInt8], preview: AssetRow.Preview
  ) async throws {
    let shelf = try PhotoShelf([(name, bytes)])
    let path = shelf.folder["in/\(name)"]
    let (row, previews) = try await inspect(path)
    #expect(row.status == .verified && row.path == RelativePath(path))
    #expect(previews == [preview] && row.preview == preview)
    #expect(row.verification?.method == (name.hasSuffix("png") ? .full : .scaled))
    #expect(try await inspect(path, decoding: .full).row.verification?.method == .full)
  }

  @Test func `a photo that is not verified has no stand-in made for it`() async throws {
    let shelf = try PhotoShelf([("cut.jpg", Array(TinyJPEG.baseline.bytes.dropLast(20)))])
    let (row, previews) = try await inspect(shelf.folder["in/cut.jpg"])
    #expect(row.status == .damaged && row.error?.code == .truncated && previews.isEmpty)
  }

  @Test func `what cannot be opened has a row that says so`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.baseline.bytes)])
    let codes: [(String, FailureCode)] = [
      ("in/none.jpg", .vanished), ("none/a.jpg", .vanished), ("in/a.jpg/b", .vanished), ("in", .unreadable),
      ("in/", .unreadable),
    ]
    for (name, code) in codes {
      let row = try await inspect(shelf.folder[name]).row
      #expect(row.status == .failed && row.error?.code == code, "\(name): \(row.error?.message ?? "")")
      #expect(row.path == RelativePath(shelf.folder[name]))
    }
  }

  @Test func `limits are those of the caller`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.baseline.bytes)])
    var limits = LoadLimits()
    limits.maxPixels = 959
    #expect(try await inspect(shelf.folder["in/a.jpg"], limits: limits).row.error?.code == .tooLarge)
    limits = LoadLimits()
    limits.timeout = .zero
    #expect(try await inspect(shelf.folder["in/a.jpg"], limits: limits).row.error?.code == .timeout)
  }

  @Test func `a cancelled inspection ends as such`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.baseline.bytes)])
    let control = CollectionControl()
    control.cancel()
    await #expect {
      try await inspect(shelf.folder["in/a.jpg"], control: control)
    } throws: { if case .cancelled? = $0 as? RunError { true } else { false } }
  }
}
