import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FetchCacheTests {
  private let folder: TemporaryFolder
  private let cache: FetchCache

  init() throws {
    folder = try TemporaryFolder()
    cache = try FetchCache.open(in: OutputFolder.create(Array(folder.path.utf8)))
  }

  private func fetch(_ key: String, _ count: Int) throws {
    cache.hold(key)
    let part = try cache.beginPart(key, facts: Array("{}".utf8))
    try part.append([UInt8](repeating: 7, count: count))
    try cache.commitPart(key)
  }

  @Test func `a half goes on where it was, and becomes a whole one with its facts`() throws {
    let part = try cache.beginPart("aa", facts: [1])
    try part.append([10, 11])
    #expect(cache.partSize(of: "aa") == 2)
    #expect(cache.partFacts(of: "aa") == [1])
    #expect(cache.size(of: "aa") == nil)
    let rest = try cache.continuePart("aa")
    #expect(rest.size == 2)
    try rest.append([12])
    try cache.commitPart("aa")
    #expect(cache.size(of: "aa") == 3)
    #expect(cache.facts(of: "aa") == [1])
    #expect(cache.partFacts(of: "aa") == nil)
    let file = try cache.open("aa")
    #expect(file.nextPiece() == [10, 11, 12])
    #expect(file.change() == nil)
  }

  @Test func `a new try begins with nothing of the old one`() throws {
    try cache.beginPart("aa", facts: [1]).append([1, 2, 3])
    _ = try cache.beginPart("aa", facts: [2])
    #expect(cache.partSize(of: "aa") == 0)
    #expect(cache.partFacts(of: "aa") == [2])
  }

  @Test func `content without facts and facts without content count for nothing`() throws {
    try folder.file(".photo-ingest/fetched/aa.part", [1])
    #expect(cache.partFacts(of: "aa") == nil)
    try folder.file(".photo-ingest/fetched/bb.part.facts", [1])
    #expect(cache.partFacts(of: "bb") == nil)
    #expect(throws: FileError.self) { try cache.continuePart("bb") }
  }

  @Test func `a link in the cache is never followed`() throws {
    let outside = try TemporaryFolder([.text("secret", "word")])
    try folder.add([
      .link(".photo-ingest/fetched/aa", to: outside["secret"]),
      .link(".photo-ingest/fetched/aa.facts", to: outside["secret"]),
      .link(".photo-ingest/fetched/aa.part", to: outside["secret"]),
    ])
    #expect(cache.size(of: "aa") == nil)
    #expect(cache.facts(of: "aa") == nil)
    #expect(throws: FileError.self) { try cache.open("aa") }
    #expect(throws: FileError.self) { try cache.continuePart("aa") }
    try cache.beginPart("aa", facts: [1]).append([9])
    #expect(try outside.bytes(of: "secret") == Array("word".utf8))
  }

  @Test func `what was used longest ago goes first, and nothing that is in use`() throws {
    for (age, key) in ["aa", "bb", "cc"].enumerated() {
      try fetch(key, 1000)
      cache.release(key, limit: 10_000)
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(age))
      for name in [key, key + ".facts"] {
        try FileManager.default.setAttributes(
          [.modificationDate: date], ofItemAtPath: folder[".photo-ingest/fetched/" + name])
      }
    }
    // Used now, though it was fetched first.
    cache.hold("aa")
    _ = try cache.open("aa")
    cache.hold("bb")
    try fetch("dd", 1000)
    cache.release("dd", limit: 3500)
    #expect(["aa", "bb", "cc", "dd"].map { cache.size(of: $0) } == [1000, 1000, nil, 1000])
    cache.release("bb", limit: 2500)
    #expect(["aa", "bb", "dd"].map { cache.size(of: $0) } == [1000, nil, 1000])
    cache.release("aa", limit: 0)
    #expect(folder.listing().filter { $0.contains("fetched/") && !$0.hasSuffix("/") } == [])
  }

  @Test func `what earlier runs left counts too`() throws {
    try folder.file(".photo-ingest/fetched/old", [UInt8](repeating: 1, count: 5000))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder[".photo-ingest/fetched/old"])
    try fetch("aa", 10)
    cache.release("aa", limit: 1000)
    #expect(cache.size(of: "old") == nil)
    #expect(cache.size(of: "aa") == 10)
  }

  @Test func `what stands when a use begins is there until it ends, whatever is thrown away meanwhile`() async throws {
    let isOver = Guarded(false)
    async let trimming: Void = onOwnThread {
      while !isOver.withLock({ $0 }) {
        cache.hold("bb")
        cache.release("bb", limit: 0)
      }
    }
    for _ in 0..<200 {
      try fetch("aa", 10)
      cache.release("aa", limit: 1000)
      cache.hold("aa")
      if cache.size(of: "aa") != nil { #expect(throws: Never.self) { try cache.open("aa") } }
      cache.release("aa", limit: 1000)
    }
    isOver.withLock { $0 = true }
    await trimming
  }
}
