import Catalogue
import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest

/// What is known of a file is held against what it is now, one difference at a time.
@Suite(.timeLimit(.minutes(1)))
struct PlanTests {
  static func identity(
    device: UInt64 = 1, inode: UInt64 = 2, size: UInt64 = 3, modified: (Int64, Int32) = (4, 5),
    changed: (Int64, Int32) = (6, 7)
  ) -> FileIdentity {
    FileIdentity(
      device: device, inode: inode, size: size, modifiedSeconds: modified.0, modifiedNanoseconds: modified.1,
      changedSeconds: changed.0, changedNanoseconds: changed.1)
  }

  @Test func `each difference has its reason, size before all others`() {
    let stamp = FileStamp(Self.identity())
    #expect(stamp.change(to: Self.identity()) == nil)
    #expect(stamp.change(to: Self.identity(device: 9)) == .replaced)
    #expect(stamp.change(to: Self.identity(inode: 9)) == .replaced)
    #expect(stamp.change(to: Self.identity(size: 9)) == .size)
    #expect(stamp.change(to: Self.identity(inode: 9, size: 9)) == .size)
    #expect(stamp.change(to: Self.identity(modified: (9, 5))) == .modified)
    #expect(stamp.change(to: Self.identity(modified: (4, 9))) == .modified)
    #expect(stamp.change(to: Self.identity(changed: (9, 7))) == .modified)
    #expect(stamp.change(to: Self.identity(changed: (6, 9))) == .modified)
  }

  @Test func `a stamp from a manifest knows size and mtime alone`() {
    var stamp = FileStamp(Self.identity())
    stamp.place = nil
    #expect(stamp.change(to: Self.identity(device: 9, inode: 9, changed: (9, 9))) == nil)
    #expect(stamp.change(to: Self.identity(size: 9)) == .size)
    #expect(stamp.change(to: Self.identity(modified: (4, 9))) == .modified)
  }

  @Test func `rows depend on pictures and limits, and on the time only when they ran out of it`() {
    var configuration = RunConfiguration(source: [1], output: [2])
    let recipe = RowRecipe(configuration)
    configuration.limits.timeout = .seconds(5)
    configuration.jobs = 7
    configuration.order = .size
    configuration.manifests = [.csv]
    configuration.unsupported = .skip
    let other = RowRecipe(configuration)
    #expect(recipe.text(endingIn: nil) == other.text(endingIn: nil))
    #expect(recipe.text(endingIn: .corrupt) == other.text(endingIn: .corrupt))
    #expect(recipe.text(endingIn: .timeout) != other.text(endingIn: .timeout))
    for change in [
      { $0.thumbnailSizes = [64] }, { $0.decoding = .full }, { $0.limits.maxPixels = 1 }, { $0.limits.maxMemory = 1 },
    ] as [(inout RunConfiguration) -> Void] {
      var changed = configuration
      change(&changed)
      #expect(RowRecipe(changed).text != other.text)
    }
  }

  private func known(_ path: String, _ identity: FileIdentity) throws -> KnownPhoto {
    let catalogue = try Catalogue.open(":memory:")
    try catalogue.store(
      FreshPhoto(
        path: Array(path.utf8), status: .verified, error: nil, options: "", stamp: FileStamp(identity), thumbnails: 0,
        thumbnailKey: nil, captured: nil, line: StoredLine(bytes: [], indexOffset: 0)))
    return try #require(try catalogue.photo(at: Array(path.utf8)))
  }

  @Test func `a moved photo is found by its inode, or by size and time, and each is given away once`() throws {
    let gone = try [
      known("a", Self.identity(inode: 10)), known("b", Self.identity(inode: 11)),
      known("c", Self.identity(inode: 12, size: 100)),
    ]
    var finder = TwinFinder(gone)
    #expect(finder.take(for: Self.identity(inode: 11, modified: (99, 0)))?.path == Array("b".utf8))
    #expect(finder.take(for: Self.identity(inode: 50))?.path == Array("a".utf8))
    #expect(finder.taken == 2)
    #expect(finder.take(for: Self.identity(inode: 51)) != nil, "a second copy has the same content")
    #expect(finder.taken == 2, "and is no second photo that was moved")
    #expect(finder.take(for: Self.identity(inode: 12, size: 101)) == nil)
    #expect(finder.take(for: Self.identity(inode: 60, size: 100, modified: (4, 6))) == nil)
    #expect(finder.take(for: Self.identity(inode: 60, size: 100))?.path == Array("c".utf8))
  }

  @Test func `ten thousand names of one file are told apart in no time`() throws {
    let one = Self.identity()
    let photo = try known("x", one)
    let gone = (0..<10_000).map { number in
      var photo = photo
      photo.path = Array("\(number)".utf8)
      return photo
    }
    var finder = TwinFinder(gone)
    let found = (0..<10_000).compactMap { _ in finder.take(for: one)?.path }
    #expect(Set(found).count == 10_000 && finder.taken == 10_000)
  }

  @Test func `young files come last and files from the future are old`() {
    var now = Duration.seconds(1000)
    let age = MinimumAge(.seconds(10)) { now }
    let files: [FileIdentity?] = [
      Self.identity(modified: (989, 0)), Self.identity(modified: (995, 0)), Self.identity(modified: (1000, 1)),
      nil, Self.identity(modified: (990, 1)), Self.identity(modified: (.max, 0)), Self.identity(modified: (.min, 0)),
    ]
    let parts = age.partition([0, 1, 2, 3, 4, 5, 6]) { files[$0] }
    #expect(parts.grown == [0, 2, 3, 5, 6] && parts.young == [1, 4])
    #expect(MinimumAge(.zero) { now }.partition([1, 0]) { files[$0] }.grown == [1, 0])
    // It waits no longer than needed, and a stop ends it.
    now = .seconds(1006)
    age.wait(for: [Self.identity(modified: (995, 0))], CollectionControl())
    let control = CollectionControl()
    control.cancel()
    now = .seconds(1000)
    age.wait(for: [Self.identity(modified: (999, 0))], control)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct RememberedSourceTests {
  @Test(arguments: [Array("/srv/photos".utf8), [0x2F, 0xFF, 0x0A]] as [[UInt8]])
  func `the source folder is remembered by its exact bytes`(path: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let output = try OutputFolder.create(Array(folder["out"].utf8))
    let source = RememberedSource(path: path, device: .max)
    try source.write(to: output)
    #expect(RememberedSource.read(below: output.path) == source)
  }

  @Test(arguments: [
    "", "x", "{}", #"{"device":1}"#, #"{"device":"1","path":"/a"}"#, #"{"device":1,"path":""}"#,
    #"{"device":1,"path":"/a","path_b64":"?"}"#,
  ])
  func `anything else remembers nothing`(text: String) throws {
    #expect(RememberedSource(Array(text.utf8)) == nil)
    #expect(RememberedSource.read(below: Array("/nowhere".utf8)) == nil)
  }
}
