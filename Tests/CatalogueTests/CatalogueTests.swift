import IngestCore
import IngestTestSupport
import Testing

@testable import Catalogue

/// A catalogue gives back what was stored, in the order of the paths' bytes, also after it was closed.
@Suite(.timeLimit(.minutes(2))) struct CatalogueTests {
  static func photo(
    _ path: [UInt8], line: String = #"{"record":"asset"}"#, options: String = "a", thumbnails: Int = 1
  ) -> FreshPhoto {
    FreshPhoto(
      path: path, status: .verified, error: nil, options: options,
      stamp: FileStamp(
        size: 7, modifiedSeconds: -5, modifiedNanoseconds: 999_999_999,
        place: .init(device: .max, inode: 1 << 63, changedSeconds: 9, changedNanoseconds: 1)),
      thumbnails: thumbnails, thumbnailKey: .max, captured: "2024-07-01T02:13:00",
      line: StoredLine(bytes: Array(line.utf8), indexOffset: 1))
  }

  @Test func `what was stored comes back, byte by byte, in another process' connection too`() throws {
    let folder = try TemporaryFolder()
    let paths: [[UInt8]] = [[0xFF, 0xFE], Array("a/b.jpg".utf8), Array("a".utf8), Array("caf\u{E9}".utf8)]
    do {
      let catalogue = try Catalogue.open(folder["c.sqlite"])
      #expect(catalogue.isNew)
      for path in paths { #expect(try catalogue.store(Self.photo(path)).storing == .added) }
    }
    let catalogue = try Catalogue.open(folder["c.sqlite"])
    #expect(!catalogue.isNew)
    let known = try catalogue.photos(after: nil)
    #expect(known.map(\.path) == paths.sorted { $0.lexicographicallyPrecedes($1) })
    for photo in known {
      let fresh = Self.photo(photo.path)
      #expect(photo.stamp == fresh.stamp)
      #expect(photo.thumbnailKey == .max)
      #expect(photo.captured == fresh.captured)
      #expect(try catalogue.line(photo.line) == fresh.line)
      #expect(try catalogue.options("a") == photo.options)
    }
    #expect(try catalogue.count() == 4)
  }

  @Test(arguments: [1, 2, 3, 100]) func `pages join without a gap or a double`(limit: Int) throws {
    let catalogue = try Catalogue.open(":memory:")
    try catalogue.store((0..<7).map { Self.photo([0x61, UInt8($0)]) })
    var all: [[UInt8]] = []
    var last: [UInt8]?
    while true {
      let page = try catalogue.photos(after: last, limit: limit)
      if page.isEmpty { break }
      all += page.map(\.path)
      last = page.last?.path
    }
    #expect(all == (0..<7).map { [0x61, UInt8($0)] })
  }

  @Test func `a row that is stored again says whether it is another one, and keeps its name`() throws {
    let catalogue = try Catalogue.open(":memory:")
    let path = Array("x.jpg".utf8)
    try catalogue.store(Self.photo(path))
    let first = try #require(try catalogue.photo(at: path))
    #expect(try catalogue.store(Self.photo(path, options: "b")).storing == .same)
    #expect(try catalogue.photo(at: path)?.options == catalogue.options("b"))
    #expect(try catalogue.store(Self.photo(path, line: #"{"record":"other"}"#)).storing == .changed)
    let last = try #require(try catalogue.photo(at: path))
    #expect(last.line == first.line)
    #expect(try catalogue.line(last.line).line(index: 3) == Array("{\"index\":3,\"record\":\"other\"}\n".utf8))
  }

  @Test func `forgetting and keeping values happen together`() throws {
    let catalogue = try Catalogue.open(":memory:")
    try catalogue.store([Self.photo([1]), Self.photo([2])])
    try catalogue.settle(forgetting: [[1], [9]], keeping: ["order": "name", "b": "2"])
    #expect(try catalogue.photos(after: nil).map(\.path) == [[2]])
    #expect(try catalogue.setting("order") == "name")
    #expect(try catalogue.setting("c") == nil)
  }

  @Test func `photos without stamp, thumbnails or a good ending come back as they are`() throws {
    let catalogue = try Catalogue.open(":memory:")
    for code in FailureCode.allCases {
      let photo = FreshPhoto(
        path: Array(code.rawValue.utf8), status: .failed, error: code, options: "", stamp: nil, thumbnails: 0,
        thumbnailKey: nil, captured: nil, line: StoredLine(bytes: [], indexOffset: 0))
      try catalogue.store(photo)
      let known = try #require(try catalogue.photo(at: photo.path))
      #expect(known.error == code)
      #expect(known.stamp == nil)
      #expect(known.thumbnailKey == nil)
      #expect(try catalogue.line(known.line).bytes == [])
    }
  }
}

/// A file that cannot be used is an error with a kind, never wrong data.
@Suite(.timeLimit(.minutes(2))) struct CatalogueDamageTests {
  /// A closed catalogue of a few hundred photos.
  private func made() throws -> (TemporaryFolder, [UInt8]) {
    let folder = try TemporaryFolder()
    do {
      let catalogue = try Catalogue.open(folder["c.sqlite"])
      try catalogue.store(
        (0..<400).map { CatalogueTests.photo(Array("photo-\($0)".utf8), line: #"{"record":"asset","n":\#($0)}"#) })
    }
    return (folder, try folder.bytes(of: "c.sqlite"))
  }

  /// Reads everything; nil when it is all as it was stored.
  private func fault(of path: String) throws -> CatalogueError? {
    do {
      let catalogue = try Catalogue.open(path, patience: .zero)
      if catalogue.isNew { return nil }
      let photos = try catalogue.photos(after: nil, limit: 1000)
      #expect(photos.count == 400)
      for photo in photos {
        let number = String(decoding: photo.path.dropFirst(6), as: UTF8.self)
        #expect(try catalogue.line(photo.line).bytes == Array(#"{"record":"asset","n":\#(number)}"#.utf8))
      }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file cut in half, of zeros, of noise or of another program cannot be used`() throws {
    let (folder, whole) = try made()
    let half = Array(whole[..<(whole.count / 2)])
    let zeros = [UInt8](repeating: 0, count: whole.count)
    let noise = SeededBytes.bytes(seed: 7, count: whole.count)
    let text = Array(String(repeating: "no catalogue\n", count: 400).utf8)
    for (number, bytes) in [half, zeros, noise, text].enumerated() {
      let fault = try fault(of: try folder.file("d\(number).sqlite", bytes))
      #expect(fault?.kind == .unusable, "\(String(describing: fault))")
    }
  }

  @Test func `another version, another program's database, a folder, a missing folder`() throws {
    let (folder, _) = try made()
    do { try Connection.open(folder["c.sqlite"], patience: 0).run("PRAGMA user_version=9") }
    #expect(try fault(of: folder["c.sqlite"])?.message.contains("version 9") == true)
    do { try Connection.open(folder["e.sqlite"], patience: 0).run("CREATE TABLE theirs(x)") }
    #expect(try fault(of: folder["e.sqlite"])?.kind == .unusable)
    try folder.add([.folder("f.sqlite", [])])
    #expect(try fault(of: folder["f.sqlite"])?.kind == .unreachable)
    #expect(try fault(of: folder["none/c.sqlite"])?.kind == .unreachable)
  }

  @Test func `a file that somebody holds is busy`() throws {
    let (folder, _) = try made()
    let holder = try Catalogue.open(folder["c.sqlite"])
    _ = try holder.count()
    // In one process SQLite itself keeps two connections apart, as it does two processes.
    #expect(try fault(of: folder["c.sqlite"])?.kind == .busy)
    withExtendedLifetime(holder) {}
  }

  @Test func `a bit that the disk has lost is found, or it was nothing that is read`() throws {
    let (folder, whole) = try made()
    var found = 0
    for seed in 0..<200 {
      var bytes = whole
      let place = (seed &* 7_919) % (whole.count * 8)
      bytes[place / 8] ^= 1 << UInt8(place % 8)
      // `fault` expects every value to be right when there is none.
      if try fault(of: try folder.file("d\(seed).sqlite", bytes)) != nil { found += 1 }
    }
    #expect(found > 100)
  }
}
