import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Changes a photo under its reader, at the moment when the first piece of it has been read.
@Suite(.timeLimit(.minutes(1)))
struct ChangingFileTests {
  private func photo(changing change: @escaping @Sendable (TemporaryFolder) throws -> Void) async throws -> LoadedPhoto
  {
    let shelf = try PhotoShelf([("a.jpg", PhotoShelf.large)])
    let loader = try shelf.loader()
    let log = EventLog()
    let failure = Guarded<String?>(nil)
    let options = ImageRequestOptions(progressHandler: { fraction in
      guard fraction < 0.3 else { return }
      do { try change(shelf.folder) } catch { failure.withLock { $0 = "\(error)" } }
    })
    _ = loader.requestImage(for: shelf.asset("a.jpg"), options: options, resultHandler: log.handler)
    await onOwnThread { loader.shutDown() }
    #expect(failure.withLock { $0 } == nil)
    return try #require(log.photos.first)
  }

  private func expectUnstable(_ photo: LoadedPhoto, _ words: String) {
    #expect(photo.isUnstable)
    #expect(photo.row.status == .failed && photo.row.error?.code == .unstable)
    #expect(photo.row.error?.message.contains(words) == true, "\(photo.row.error?.message ?? "")")
    // Nothing that was seen of it is told as if it were the file's.
    #expect(photo.row.sha256 == nil && photo.row.width == nil && photo.row.verification == nil)
    #expect(photo.thumbnails.isEmpty && photo.pixels == nil)
  }

  @Test func `a photo that grows is unstable`() async throws {
    expectUnstable(
      try await photo { folder in
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder["in/a.jpg"]))
        try file.seekToEnd()
        try file.write(contentsOf: Data([1]))
        try file.close()
      }, "changed")
  }

  @Test func `a photo that shrinks is unstable`() async throws {
    expectUnstable(
      try await photo { folder in
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder["in/a.jpg"]))
        try file.truncate(atOffset: 900_000)
        try file.close()
      }, "changed")
  }

  @Test func `a photo that another takes the name of is unstable`() async throws {
    expectUnstable(
      try await photo { folder in
        try folder.file("other", PhotoShelf.large)
        try FileManager.default.removeItem(atPath: folder["in/a.jpg"])
        try FileManager.default.moveItem(atPath: folder["other"], toPath: folder["in/a.jpg"])
      }, "replaced")
  }

  @Test func `a photo that is removed has vanished`() async throws {
    let photo = try await photo { try FileManager.default.removeItem(atPath: $0["in/a.jpg"]) }
    #expect(!photo.isUnstable && photo.row.error?.code == .vanished && photo.row.sha256 == nil)
  }

  @Test func `a neighbour that changes is nobody's business`() async throws {
    let photo = try await photo { _ = try $0.file("in/b.jpg", [1]) }
    #expect(photo.row.status == .verified)
  }
}
