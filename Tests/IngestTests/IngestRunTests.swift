import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct IngestRunTests {
  private static let photos: [(String, [UInt8])] = [
    ("IMG_10.jpg", TinyJPEG.baseline.bytes), ("IMG_9.jpg", PhotoShelf.withStandIn),
    ("album/a.png", TinyPNG(20, 10).bytes), ("album/cut.jpg", Array(TinyJPEG.baseline.bytes.dropLast(30))),
    ("broken.jpg", Array("no photo".utf8)), ("notes.txt", Array("left out".utf8)),
    ("named.png", TinyJPEG.progressive.bytes), ("x.gif", Array("GIF89a".utf8)),
  ]
  private static let order = [
    "IMG_9.jpg", "IMG_10.jpg", "album/a.png", "album/cut.jpg", "broken.jpg", "named.png", "x.gif",
  ]

  private func run(
    _ shelf: PhotoShelf, control: CollectionControl = CollectionControl(), story: RunStory = RunStory(),
    _ change: (inout RunConfiguration) -> Void = { _ in }
  ) async -> Result<RunSummary, RunError> {
    var configuration = shelf.configuration()
    change(&configuration)
    let run = IngestRun(configuration)
    return await onOwnThread {
      Result { () throws(RunError) in try run.run(control: control, report: story.report) }
    }
  }

  private func rows(_ shelf: PhotoShelf) throws -> [ManifestRow] {
    var rows: [ManifestRow] = []
    _ = try FinishedManifest(directory: Array(shelf.output.utf8)).read { row throws(RunError) in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Every file of the output with its bytes and its time, but what the program keeps for itself.
  private func state(_ shelf: PhotoShelf) throws -> [String: [UInt8]] {
    var state: [String: [UInt8]] = [:]
    for name in shelf.folder.listing()
    where name.hasPrefix("out/") && !name.hasPrefix("out/.photo-ingest/") && !name.hasSuffix("/") {
      let time = try FileManager.default.attributesOfItem(atPath: shelf.folder[name])[.modificationDate] as? Date
      state["\(name) \(time?.timeIntervalSince1970 ?? 0)"] = try shelf.folder.bytes(of: name)
    }
    return state
  }

  @Test func `a run leaves rows in order, thumbnails that they list, and a summary that counts them`() async throws {
    let shelf = try PhotoShelf(Self.photos)
    let summary = try await run(shelf).get()
    let rows = try rows(shelf)
    #expect(rows.map(\.path.display) == Self.order && rows.map(\.index) == Array(0..<7))
    #expect(rows.map(\.status) == [.verified, .verified, .verified, .damaged, .failed, .verified, .failed])
    #expect(summary.totals == ManifestTotals(assets: 7, verified: 4, damaged: 1, failed: 2))
    #expect(summary.problems.map(\.path.display) == ["album/cut.jpg", "broken.jpg", "x.gif"])
    #expect(!summary.isAllVerified && summary.unreadableFolders == 0)
    #expect(summary.leftOut.values.reduce(0, +) == 1)
    #expect(summary.bytesRead == UInt64(Self.photos.filter { $0.0 != "notes.txt" }.reduce(0) { $0 + $1.1.count }))

    var listed: Set<String> = []
    for row in rows {
      #expect(row.sha256 == SHA256Digest.hex(of: try shelf.folder.bytes(of: "in/\(row.path.display)")))
      for thumbnail in row.value["thumbnails"]?.arrayValue ?? [] {
        let path = try #require(thumbnail["path"]?.stringValue)
        let bytes = try shelf.folder.bytes(of: "out/\(path)")
        #expect(thumbnail["sha256"]?.stringValue == SHA256Digest.hex(of: bytes))
        listed.insert("out/\(path)")
      }
    }
    #expect(listed.count == 5)
    let found = shelf.folder.listing().filter { $0.hasPrefix("out/thumbnails/") && $0.hasSuffix(".jpg") }
    #expect(Set(found) == listed)
  }

  @Test(arguments: [1, 2, 8, 64])
  func `the story is told in order, whatever the number of threads`(jobs: Int) async throws {
    let shelf = try PhotoShelf(Self.photos)
    let story = RunStory()
    _ = try await run(shelf, story: story) { $0.jobs = jobs }.get()
    let words = story.words
    #expect(words.first == "scanned 7")
    #expect(story.assets == Self.order.enumerated().map { "asset \($0.offset) \($0.element)" })
    for name in ["0 IMG_9.jpg", "5 named.png"] {
      let degraded = try #require(words.firstIndex(of: "degraded \(name)"))
      #expect(try degraded < #require(words.firstIndex(of: "asset \(name)")))
    }
    #expect(words.filter { $0.hasPrefix("degraded") }.count == 2)
  }

  @Test func `the same photos give the same bytes, and a second run touches nothing`() async throws {
    var results: [[String: [UInt8]]] = []
    for jobs in [1, 2, 8, 64] {
      let shelf = try PhotoShelf(Self.photos.shuffled())
      for (name, _) in Self.photos {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: shelf.folder["in/\(name)"])
      }
      let change = { (configuration: inout RunConfiguration) in
        configuration.jobs = jobs
        configuration.manifests = [.json, .csv, .sha256]
      }
      _ = try await run(shelf, change).get()
      let state = try state(shelf)
      _ = try await run(shelf, change).get()
      #expect(try self.state(shelf) == state)
      var bytes: [String: [UInt8]] = [:]
      for (name, content) in state { bytes[String(name.prefix { $0 != " " })] = content }
      results.append(bytes)
    }
    #expect(results.allSatisfy { $0 == results[0] })
  }

  // MARK: Ends before the end

  @Test func `a cancel from another thread leaves no manifest and no loose file`() async throws {
    for place in ["scanned", "progressed 1/", "progressed 6/"] {
      let shelf = try PhotoShelf(Self.photos)
      let control = CollectionControl()
      let (reached, cancelled) = (Gate(), Gate())
      let seen = Count()
      let story = RunStory { event in
        let isPlace =
          switch event {
          case .scanned: place == "scanned"
          case .progressed(let finished, _, _, _): place == "progressed \(finished)/"
          default: false
          }
        guard isPlace else { return }
        seen.add()
        reached.open()
        cancelled.wait()
      }
      async let result = run(shelf, control: control, story: story)
      await onOwnThread {
        reached.wait()
        control.cancel()
        cancelled.open()
      }
      let ending = await result
      #expect(seen.value == 1)
      #expect(throws: RunError.self) { try ending.get() }
      if case .failure(.cancelled) = ending {} else { Issue.record("\(place): \(ending)") }
      let left = shelf.folder.listing().filter { $0.hasPrefix("out/") && !$0.hasSuffix("/") }
      // What the next run goes on from, whole.
      let kept = ["lock", "catalogue.sqlite", "last-run.json", "last-run-photos.jsonl"].map {
        "out/.photo-ingest/" + $0
      }
      #expect(
        left.allSatisfy { $0.hasPrefix("out/thumbnails/") && $0.hasSuffix(".jpg") || kept.contains($0) },
        "\(place): \(left)")
    }
  }

  @Test func `a run that is cancelled leaves the old manifest as it was`() async throws {
    let shelf = try PhotoShelf(Self.photos)
    _ = try await run(shelf).get()
    let manifest = try shelf.folder.bytes(of: "out/manifest.jsonl")
    try shelf.folder.file("in/new.jpg", TinyJPEG.gray.bytes)
    let control = CollectionControl()
    let story = RunStory { event in if case .progressed(3, _, _, _) = event { control.cancel() } }
    var configuration = shelf.configuration()
    // Photos that are known would not be read again.
    configuration.readsEverything = true
    let again = IngestRun(configuration)
    let ending = await onOwnThread {
      Result { () throws(RunError) in try again.run(control: control, report: story.report) }
    }
    if case .failure(.cancelled) = ending {
    } else {
      Issue.record("it was not cancelled")
    }
    #expect(try shelf.folder.bytes(of: "out/manifest.jsonl") == manifest)
    // The next run makes up for it.
    #expect(try await run(shelf).get().totals.assets == 8)
  }

  @Test func `a policy that ends the run leaves no manifest`() async throws {
    let shelf = try PhotoShelf(Self.photos)
    let ending = await run(shelf) {
      $0.errorPolicy = .stop
      $0.jobs = 4
    }
    guard case .failure(.stoppedByPolicy(let photo, let failure, let count, _)) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(photo == RelativePath("album/cut.jpg") && failure.code == .truncated && count == 1)
    #expect(!FileManager.default.fileExists(atPath: shelf.output + "/manifest.jsonl"))
  }

  @Test func `folders that cannot be used are told apart`() async throws {
    let shelf = try PhotoShelf([("a.jpg", TinyJPEG.gray.bytes)])
    let missing = await run(shelf) { $0.source = Array(shelf.folder["none"].utf8) }
    guard case .failure(.sourceUnusable) = missing else {
      Issue.record("\(missing)")
      return
    }
    try shelf.folder.file("file", [1])
    for output in [shelf.folder["file"], shelf.folder["in"], shelf.folder["file/below"]] {
      guard case .failure(.outputUnusable) = await run(shelf, { $0.output = Array(output.utf8) }) else {
        Issue.record("\(output) was taken")
        continue
      }
    }
    #expect(shelf.folder.listing() == ["file", "in/", "in/a.jpg"])
  }

  @Test func `an empty folder is a good run with an empty manifest`() async throws {
    let shelf = try PhotoShelf([])
    let summary = try await run(shelf).get()
    #expect(summary.totals == ManifestTotals() && summary.isAllVerified)
    #expect(try rows(shelf).isEmpty)
  }

  @Test func `a dry run lists the candidates and writes nothing`() async throws {
    let shelf = try PhotoShelf(Self.photos)
    let configuration = shelf.configuration()
    let (names, count) = try await onOwnThread {
      var names: [String] = []
      let summary = try IngestRun(configuration).listCandidates(
        control: CollectionControl(), report: { _ in }, candidate: { names.append($0.display) })
      return (names, summary.count)
    }
    #expect(names == Self.order && count == 7)
    #expect(!FileManager.default.fileExists(atPath: shelf.output))
  }

  @Test func `a list decides what is loaded and in which order`() async throws {
    let shelf = try PhotoShelf(Self.photos)
    _ = try await run(shelf) {
      $0.listedPaths = ["named.png", "gone.jpg", "IMG_10.jpg", "named.png"].map { RelativePath($0) }
      $0.order = .list
    }.get()
    let rows = try rows(shelf)
    #expect(rows.map(\.path.display) == ["named.png", "gone.jpg", "IMG_10.jpg"])
    #expect(rows.map(\.status) == [.verified, .failed, .verified])
  }
}
