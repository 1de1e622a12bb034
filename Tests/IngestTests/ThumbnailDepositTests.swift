import Catalogue
import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Holds the loader threads of a run to it that they write the thumbnails themselves, and the taker that it waits.
@Suite(.timeLimit(.minutes(1)))
struct ThumbnailDepositTests {
  private let shelf: PhotoShelf

  init() throws {
    shelf = try PhotoShelf([
      ("a.jpg", PhotoShelf.withStandIn), ("b.jpg", TinyJPEG.baseline.bytes), ("c.jpg", TinyJPEG.gray.bytes),
      ("d.png", TinyPNG(20, 10).bytes), ("e.jpg", TinyJPEG.progressive.bytes),
    ])
  }

  private var names: [String] { ["a.jpg", "b.jpg", "c.jpg", "d.png", "e.jpg"] }

  private func loader(threads: Int = 1) throws -> PhotoLoader {
    let configuration = shelf.configuration()
    let store = ThumbnailStore(
      output: try OutputFolder.create(configuration.output), configuration: configuration)
    return PhotoLoader(
      LoadSite(folder: try SourceFolder.open(shelf.source), thumbnails: store), threads: threads,
      request: configuration.decodeRequest, timeout: .seconds(600), place: .inProcess)
  }

  /// Thumbnails under their final names; a file of ours under any other name is a fault of its own.
  private func written() -> [String] {
    let files = shelf.folder.listing().filter { $0.hasPrefix("out/") && !$0.hasSuffix("/") }
    #expect(files.allSatisfy { $0.hasPrefix("out/thumbnails/16/") && $0.hasSuffix(".jpg") }, "\(files)")
    return files
  }

  @Test func `a loaded photo carries no pictures, and its row lists the files that its thread has written`()
    async throws
  {
    let loader = try loader()
    let log = EventLog()
    for name in names {
      _ = loader.requestImage(for: shelf.asset(name), options: ImageRequestOptions(), resultHandler: log.handler)
    }
    let listed = try await onOwnThread {
      loader.shutDown()
      return try log.photos.flatMap { photo in
        #expect(photo.thumbnails.isEmpty && photo.row.thumbnails.isEmpty)
        return try #require(photo.deposit).wait()
      }
    }
    #expect(listed.map { "out/" + $0.path }.sorted() == written().sorted())
    for thumbnail in listed {
      let bytes = try shelf.folder.bytes(of: "out/" + thumbnail.path)
      #expect(thumbnail.sha256 == SHA256Digest.hex(of: bytes) && thumbnail.bytes == bytes.count && thumbnail.size == 16)
    }
    #expect(listed.count == names.count)
  }

  @Test func `behind a slow photo only rows wait: thumbnails of the others are on disk before it has ended`()
    async throws
  {
    let loader = try loader(threads: 2)
    let (log, isSlow) = (EventLog(), Gate())
    for name in names {
      _ = loader.requestImage(for: shelf.asset(name), options: ImageRequestOptions()) { id, event in
        if name == "a.jpg", case .degraded = event { isSlow.wait() }
        log.handler(id, event)
      }
    }
    let others = log.endings.gate(at: names.count - 1)
    let listed = try await onOwnThread {
      defer {
        isSlow.open()
        loader.shutDown()
      }
      others.wait()
      #expect(log.photos.allSatisfy { $0.row.path != RelativePath("a.jpg") })
      return try log.photos.flatMap { try #require($0.deposit).wait() }
    }
    #expect(listed.count == names.count - 1 && written().count == names.count)
    #expect(Set(listed.map { "out/" + $0.path }).isSubset(of: written()))
  }

  @Test func `the taker waits for thumbnails as long as the disk takes`() async throws {
    let (configuration, story) = (shelf.configuration(), RunStory())
    let output = try OutputFolder.create(configuration.output)
    let deposit = ThumbnailDeposit(
      [EncodedThumbnail(size: 16, width: 4, height: 3, jpeg: [0xFF, 0xD8])], of: RelativePath("a.jpg"),
      sha256: String(repeating: "0", count: 64), in: ThumbnailStore(output: output, configuration: configuration))
    let isAsked = Gate()
    async let taking: Void = onOwnThread {
      let plan = RunPlan(allNew: [Candidate(path: RelativePath("a.jpg"), identity: nil)])
      let taker = TurnTaker(
        configuration: configuration, catalogue: try Catalogue.open(":memory:"), plan: plan, report: story.report)
      var photo = LoadedPhoto(row: AssetRow(path: RelativePath("a.jpg"), status: .verified), thumbnails: [])
      photo.deposit = deposit
      isAsked.open()
      try taker.take(turn: 0, Asset(path: photo.row.path), .original(photo), isLastTry: false)
    }
    await onOwnThread {
      isAsked.wait()
      #expect(story.words.isEmpty, "a row is told when its thumbnails are written")
      deposit.write()
    }
    try await taking
    #expect(story.assets == ["asset 0 a.jpg"] && written().count == 1)
    let line = try #require(story.lines.first)
    #expect(String(decoding: line, as: UTF8.self).contains(try #require(written().first).dropFirst("out/".count)))
  }

  @Test(arguments: [1, 4])
  func `a thumbnail that cannot be written ends the run at its photo's turn, and no manifest is made`(jobs: Int)
    async throws
  {
    // The first two photos have no thumbnails; the third one's cannot be written.
    try shelf.folder.file("in/1.gif", Array("GIF89a".utf8))
    try shelf.folder.file("in/2.gif", Array("GIF89a".utf8))
    try shelf.folder.file("out/thumbnails", Array("mine".utf8))
    var configuration = shelf.configuration()
    configuration.jobs = jobs
    let (run, story) = (IngestRun(configuration), RunStory())
    let ending = await onOwnThread {
      Result { () throws(RunError) in try run.run(control: CollectionControl(), report: story.report) }
    }
    guard case .failure(.outputUnusable(let error)) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(error.displayPath == "thumbnails" && error.operation == "cannot be opened")
    #expect(story.assets == ["asset 0 1.gif", "asset 1 2.gif"])
    // What runs know of each other stays; it lists no result.
    let left = shelf.folder.listing().filter { $0.hasPrefix("out/") && !$0.hasSuffix("/") }
    #expect(left.filter { !$0.hasPrefix("out/.photo-ingest/") } == ["out/thumbnails"])
    #expect(!left.contains { $0.hasSuffix(".tmp") })
  }

  @Test func `a thread that writes is not given up, and one that was given up writes nothing more`() async throws {
    let site = LoadSite(folder: try SourceFolder.open(shelf.source))
    let tickets = (1...2).map { number in
      LoadTicket(
        id: ImageRequestID(number), asset: shelf.asset("a.jpg"), site: site, options: ImageRequestOptions()
      ) { _, _ in }
    }
    for ticket in tickets { site.admit(ticket) }
    #expect(site.finish(tickets[0]))
    #expect(!site.giveUp(since: 1), "a slow disk is no hung thread")
    site.leave()
    #expect(!site.giveUp(since: 0), "somebody has ended since then")
    #expect(site.giveUp(since: 1))
    #expect(!site.finish(tickets[1]), "it has its ending, and writes nothing")
    site.leave()
    let isIdle = await onOwnThread { site.close() }
    #expect(isIdle)

    let configuration = shelf.configuration()
    let deposit = ThumbnailDeposit(
      [EncodedThumbnail(size: 16, width: 4, height: 3, jpeg: [0xFF, 0xD8])], of: RelativePath("a.jpg"),
      sha256: String(repeating: "0", count: 64),
      in: ThumbnailStore(output: try OutputFolder.create(configuration.output), configuration: configuration))
    deposit.drop()
    let ending = await onOwnThread { Result { () throws(FileError) in try deposit.wait() } }
    #expect(throws: FileError.self) { try ending.get() }
    #expect(written() == [])
  }

  @Test func `a photo that changed while it was read leaves no thumbnail`() async throws {
    try shelf.folder.file("in/a.jpg", PhotoShelf.large)
    let (loader, log, asset, folder) = (try loader(), EventLog(), shelf.asset("a.jpg"), shelf.folder)
    let options = ImageRequestOptions(progressHandler: { fraction in
      guard fraction < 0.3 else { return }
      do { try folder.file("in/a.jpg", TinyJPEG.gray.bytes) } catch { Issue.record("\(error)") }
    })
    _ = loader.requestImage(for: asset, options: options, resultHandler: log.handler)
    await onOwnThread { loader.shutDown() }
    #expect(log.photos.map(\.isUnstable) == [true] && log.photos.allSatisfy { $0.deposit == nil })
    #expect(written() == [])
  }
}
