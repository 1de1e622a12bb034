import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest

/// Runs several folders at once in this process.
@Suite(.timeLimit(.minutes(3))) struct AlbumsRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, bytes) in [
      ("a/1.jpg", TinyJPEG.gray.bytes), ("a/2.jpg", TinyJPEG.baseline.bytes), ("b/1.jpg", Array("words".utf8)),
      ("b/2.jpg", TinyJPEG.progressive.bytes), ("more/a/3.jpg", TinyJPEG.gray.bytes),
    ] { try folder.file(name, bytes) }
  }

  private func configuration(_ names: [String]) -> AlbumsConfiguration {
    var common = RunConfiguration(source: [], output: Array(folder["out"].utf8))
    common.thumbnailSizes = [16]
    return AlbumsConfiguration(folders: names.map { Array(folder[$0].utf8) }, common: common)
  }

  private func run(_ configuration: AlbumsConfiguration) async throws -> AlbumsSummary {
    try await onOwnThread { try AlbumsRun(configuration).run(control: CollectionControl()) { _ in } }
  }

  private func run(_ names: String...) async throws -> AlbumsSummary { try await run(configuration(names)) }

  private func refusal(_ names: String...) async -> RunError? {
    do {
      _ = try await run(configuration(names))
      return nil
    } catch {
      return error as? RunError
    }
  }

  private var list: String {
    get throws { String(decoding: try folder.bytes(of: "out/albums.json"), as: UTF8.self) }
  }

  @Test func `each album has its own ending, and the list says what is in each`() async throws {
    let summary = try await run("a", "b", "missing", "more/a")
    #expect(summary.results.map { $0.album.name.display } == ["a", "b", "missing", "a-2"])
    #expect(summary.results.map(\.succeeded) == [true, false, false, true])
    #expect(summary.results.map(\.isComplete) == [true, true, false, true])
    #expect(!summary.succeeded && summary.totals == ManifestTotals(assets: 5, verified: 4, damaged: 0, failed: 1))
    #expect(
      try list == """
        {"albums":[{"counts":{"assets":2,"damaged":0,"failed":0,"verified":2},"errors":[],"name":"a","succeeded":true},\
        {"counts":{"assets":2,"damaged":0,"failed":1,"verified":1},"errors":[{"code":"not-an-image","index":0,\
        "message":"the first bytes are those of no image format","path":"1.jpg"}],"name":"b","succeeded":false},\
        {"counts":{"assets":0,"damaged":0,"failed":0,"verified":0},"errors":[{"code":"source-unusable",\
        "message":"the source folder cannot be opened: No such file or directory"}],"name":"missing","succeeded":false},\
        {"counts":{"assets":1,"damaged":0,"failed":0,"verified":1},"errors":[],"name":"a-2","succeeded":true}],\
        "format":"photo-ingest-albums","version":1}

        """)
    #expect(folder.listing().contains("out/a-2/manifest.jsonl") && !folder.listing().contains("out/missing/"))
  }

  @Test func `an album holds what a run over its folder alone holds, byte for byte`() async throws {
    _ = try await run("a", "b")
    var single = configuration(["a"]).common
    (single.source, single.output) = (Array(folder["b"].utf8), Array(folder["alone"].utf8))
    _ = try await onOwnThread { [single] in try IngestRun(single).run(control: CollectionControl()) { _ in } }
    for name in ["manifest.jsonl", "manifest.json"] {
      #expect(try folder.bytes(of: "out/b/\(name)") == folder.bytes(of: "alone/\(name)"))
    }
  }

  @Test func `a list names every photo that is not verified, also more than a summary keeps`() async throws {
    for number in 0..<130 { try folder.file("b/bad\(number).jpg", Array("words".utf8)) }
    let summary = try await run("a", "b")
    #expect(summary.results[1].errors.count == 131)
    #expect(summary.results[1].errors.map(\.index) == (0..<131).map { $0 + ($0 < 1 ? 0 : 1) })
  }

  @Test func `an album whose folder is gone keeps its manifest, and is counted by it`() async throws {
    _ = try await run("a", "b")
    let before = try folder.bytes(of: "out/b/manifest.jsonl")
    try folder.rename("b", to: "gone")
    let summary = try await run("a", "b")
    #expect(summary.results[1].counts.assets == 2 && !summary.results[1].isComplete)
    #expect(try folder.bytes(of: "out/b/manifest.jsonl") == before)
  }

  @Test func `a source that is doubtful ends its own album only`() async throws {
    _ = try await run("a", "b")
    for name in ["b/1.jpg", "b/2.jpg"] { try folder.remove(name) }
    let summary = try await run("a", "b")
    guard case .failure(.sourceDoubtful) = summary.results[1].outcome else {
      Issue.record("\(summary.results[1].outcome)")
      return
    }
    #expect(summary.results[0].succeeded)
    #expect(try list.contains(#""code":"source-empty""#))
  }

  @Test func `a policy stops the album in which it was broken, with one cause, and no other`() async throws {
    var configuration = configuration(["a", "b"])
    configuration.common.errorPolicy = .stop
    let summary = try await run(configuration)
    #expect(summary.results[0].succeeded && !summary.results[1].isComplete)
    #expect(summary.results[1].errors.map(\.path?.display) == ["1.jpg"])
    #expect(!folder.listing().contains("out/b/manifest.jsonl"))
  }

  @Test(arguments: [1, 2, 3])
  func `no more albums are in work than asked for`(atOnce: Int) async throws {
    var configuration = configuration(["a", "b", "more", "more/a"])
    configuration.atOnce = atOnce
    let inWork = Guarded((now: 0, most: 0, endings: 0))
    let seen = Guarded<Set<String>>([])
    let summary = try await onOwnThread { [configuration] in
      try AlbumsRun(configuration).run(control: CollectionControl()) { event in
        switch event {
        case .run(.scanned, let album?):
          seen.withLock { _ = $0.insert(album.name.display) }
          inWork.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
        case .ended:
          inWork.withLock {
            $0.now -= 1
            $0.endings += 1
          }
        case .run: break
        }
      }
    }
    #expect(summary.results.count == 4 && seen.withLock { $0 }.count == 4)
    let (_, most, endings) = inWork.withLock { $0 }
    #expect(most <= atOnce && most > 0 && endings == 4)
  }

  @Test func `a stop ends what is in work and what has not begun, and leaves the list alone`() async throws {
    _ = try await run("a", "b", "more")
    let before = try list
    try folder.file("a/new.jpg", TinyJPEG.gray.bytes)
    var configuration = configuration(["a", "b", "more"])
    configuration.atOnce = 1
    let control = CollectionControl()
    let summary = try await onOwnThread { [configuration] in
      try AlbumsRun(configuration).run(control: control) { event in
        if case .run(.scanned, _) = event { control.cancel() }
      }
    }
    #expect(summary.results.map(\.isComplete) == [false, false, false])
    #expect(try list == before)
  }

  @Test func `an album that completes long after a stop is complete`() async throws {
    _ = try await run("a", "b")
    try folder.remove("a/2.jpg")
    var configuration = configuration(["a", "b"])
    configuration.atOnce = 1
    let (control, left) = (CollectionControl(), Gate())
    let endings = Guarded<[String]>([])
    let summary = try await onOwnThread { [configuration] in
      var run = AlbumsRun(configuration)
      run.grace = .zero
      return try run.run(control: control) { event in
        switch event {
        case .run(.vanished, _):
          // Told when the manifest is in its place.
          control.cancel()
          left.wait()
        case .ended(let result):
          endings.withLock { $0.append(result.album.name.display) }
          if result.album.name.display == "b" { left.open() }
        case .run: break
        }
      }
    }
    #expect(summary.results.map(\.isComplete) == [true, false])
    #expect(summary.results[0].counts.assets == 1)
    #expect(endings.withLock { $0 } == ["b", "a"])
  }

  @Test func `folders that cannot be albums are refused before anything is written`() async throws {
    guard case .inputUnusable(let twice)? = await refusal("a", "b", "more/../a") else {
      Issue.record("one folder twice")
      return
    }
    #expect(twice.reason.contains("is the same folder as"))
    guard case .inputUnusable? = await refusal("missing", "a", "missing") else {
      Issue.record("one missing folder twice")
      return
    }
    var root = configuration(["a"])
    root.folders.append([UInt8(ascii: "/")])
    let withRoot = root
    await #expect(throws: RunError.self) { try await self.run(withRoot) }
    #expect(!folder.listing().contains("out/"))
    _ = try await run("a", "b")
    guard case .inputUnusable? = await refusal("a", "out/b") else {
      Issue.record("a folder in the output")
      return
    }
  }

  @Test func `folders inside each other are albums, and so is the folder that is named by dots`() async throws {
    let summary = try await run("more", "more/a", "more/a/..//../b/.")
    #expect(summary.results.map { $0.album.name.display } == ["more", "a", "b"])
    #expect(summary.results.map(\.counts.assets) == [1, 1, 2])
  }

  @Test func `an output folder inside a source is not scanned, with whatever albums`() async throws {
    var configuration = configuration(["more", "more/a"])
    configuration.common.output = Array(folder["more/out"].utf8)
    for _ in 0..<2 {
      let summary = try await run(configuration)
      #expect(summary.results.map(\.counts.assets) == [1, 1])
    }
  }

  @Test func `results of one folder and albums never meet, and nothing is lost`() async throws {
    var single = configuration(["a"]).common
    single.source = Array(folder["a"].utf8)
    let one = { [single] in
      try await onOwnThread { try IngestRun(single).run(control: CollectionControl()) { _ in } }
    }
    _ = try await one()
    let before = folder.listing()
    guard case .outputUnusable? = await refusal("a", "b") else {
      Issue.record("albums in the output of one folder")
      return
    }
    #expect(folder.listing() == before)
    try folder.remove("out")
    _ = try await run("a", "b")
    await #expect(throws: RunError.self) { _ = try await one() }
    #expect(!folder.listing().contains("out/manifest.jsonl"))
    // Also when what is not needed to read the results has been lost.
    try folder.remove("out/.photo-ingest")
    await #expect(throws: RunError.self) { _ = try await one() }
  }

  @Test func `a list of somebody else is not written over`() async throws {
    try folder.file("out/albums.json", Array(#"{"albums":["Nevermind"]}"#.utf8))
    guard case .outputUnusable? = await refusal("a", "b") else {
      Issue.record("written over")
      return
    }
    #expect(try list == #"{"albums":["Nevermind"]}"#)
  }

  @Test(arguments: ["../a", "", ".", "..", "a/b", "a\\u0000b"])
  func `a list that names what can be no album is none`(name: String) async throws {
    try folder.file(
      "out/albums.json", Array(#"{"albums":[{"name":"\#(name)"}],"format":"photo-ingest-albums","version":1}"#.utf8))
    #expect(throws: RunError.self) { try AlbumList.governing(Array(folder["out"].utf8)) }
  }

  @Test func `albums keep their folders when these are given in another order`() async throws {
    _ = try await run("a", "more/a")
    let summary = try await run("more/a", "a")
    #expect(summary.results.map { $0.album.name.display } == ["a-2", "a"])
    #expect(summary.results.map(\.counts.assets) == [1, 2])
    #expect(summary.summaries.map(\.wroteNothing) == [true, true])
  }
}

extension TemporaryFolder {
  fileprivate func remove(_ name: String) throws {
    try #require(Command("/bin/rm", ["-r", self[name]]).runBlocking().exitCode == 0)
  }

  fileprivate func rename(_ name: String, to newName: String) throws {
    try #require(Command("/bin/mv", [self[name], self[newName]]).runBlocking().exitCode == 0)
  }
}
