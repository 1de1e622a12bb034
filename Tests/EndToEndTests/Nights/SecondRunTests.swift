import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Runs over photos that earlier runs have read: only what is new or different is read, and the result is that of a first
/// run.
@Suite(.timeLimit(.minutes(4)), .serialized)
struct SecondRunTests {
  private static let names = ["a.jpg", "b.jpg", "c/d.jpg", "c/e.jpg", "f.jpg"]
  private static let first = Dictionary(uniqueKeysWithValues: names.map { ($0, "new") })

  private func stage() throws -> NightStage { try NightStage(Self.names) }

  @Test func `when nothing has changed nothing is read, and every byte and time stays`() async throws {
    let nights = try stage()
    let options = ["--manifest", "json,csv,sha256"]
    #expect(try await nights.night(options).reads == Self.first)
    let before = try FolderState.ofOutput(nights.stage.output)
    for order in [[], ["-j", "3"], ["--workers", "in-process"]] {
      let night = try await nights.night(options + order)
      #expect(night.reads == [:] && night.unchanged == 5)
      #expect(try FolderState.ofOutput(nights.stage.output).differences(from: before) == [])
      #expect(
        try night.result.records().map { $0.text("record") } == ["scan"] + Array(repeating: "asset", count: 5) + [
          "summary"
        ])
    }
    #expect(try nights.report().integer("unchanged") == 5)
    try await nights.expectFresh(options)
  }

  @Test func `photos that are no longer asked for leave the manifest with a word, all of them only by wish`()
    async throws
  {
    let nights = try stage()
    _ = try await nights.night()
    let fewer = try await nights.night(["--exclude", "c/*"])
    #expect(fewer.summary.integer("no_longer_asked_for") == 2 && fewer.vanished == [] && fewer.warnings == [])
    #expect(try await nights.night(["--exclude", "c/*"]).summary.integer("no_longer_asked_for") == nil)
    try nights.stage.folder.file("empty", [])
    for options in [["--exclude", "*"], ["--files-from", nights.stage.folder["empty"]]] {
      _ = try await nights.night()
      let manifest = try nights.stage.manifest
      let refused = try await nights.stage.run(options, code: 1)
      #expect(refused.errorText.contains(": no photo in it is asked for, and 5 photos are known in it"), "\(refused)")
      #expect(refused.errorText.contains("--accept-missing"), "\(refused)")
      #expect(try nights.stage.manifest == manifest)
      let result = try await nights.stage.run(options + ["--accept-missing"], code: 0)
      #expect(result.errorText.contains("warning: none of the 5 photos of the last manifest is asked for"), "\(result)")
      #expect(result.errorText.contains("\n5 known photos are no longer asked for\n"), "\(result)")
    }
  }

  @Test func `a photo whose name a folder has now is gone, and known again where its content is`() async throws {
    let nights = try stage()
    let stage = nights.stage
    _ = try await nights.night()
    for name in ["a.jpg", "f.jpg"] {
      let old = try stage.folder.bytes(of: "in/" + name)
      try stage.remove("in/" + name)
      try stage.photo(name + "/x.jpg", name == "a.jpg" ? Pictures.small[7] : old)
    }
    let night = try await nights.night()
    #expect(night.reads == ["a.jpg/x.jpg": "new", "f.jpg/x.jpg": "new"])
    #expect(night.vanished.contains("a.jpg") && night.summary.integer("no_longer_asked_for") == nil)
    try await nights.expectFresh()
  }

  @Test func `a run that read every photo again says why`() async throws {
    let nights = try stage()
    let first = try await nights.stage.run([], code: 0)
    #expect(!first.errorText.contains("read: "), "\(first)")
    let full = try await nights.stage.run(["--full"], code: 0)
    #expect(full.errorText.contains("\nread: 5 forced\n"), "\(full)")
  }

  @Test func `an unchanged photo is not opened`() async throws {
    let nights = try stage()
    let first = try OpenWatch([nights.stage.source, nights.stage.source + "/c"])
    _ = try await nights.night()
    #expect(try first.opened() == ["a.jpg", "b.jpg", "d.jpg", "e.jpg", "f.jpg"], "a first run opens every photo")
    let second = try OpenWatch([nights.stage.source, nights.stage.source + "/c"])
    _ = try await nights.night()
    #expect(try second.opened() == [])
  }

  enum Change: String, CaseIterable, Sendable {
    case grown, written, touched, chmod, replaced, sameSizeAndTime, replacedSameSizeAndTime, removed, added
  }

  @Test(arguments: Change.allCases)
  func
    `J6: one photo that changes, with size and time put back too, is read for its reason, and the manifest is a fresh one`(
      change: Change
    )
    async throws
  {
    let nights = try stage()
    _ = try await nights.night()
    let (stage, name) = (nights.stage, "c/d.jpg")
    let path = "\(stage.source)/\(name)"
    let old = try stage.folder.bytes(of: "in/\(name)")
    // Two whole photos of the same size.
    let ofOneSize = { (number: Int) in
      Pictures.small[number] + [UInt8](repeating: 0, count: 40_000 - Pictures.small[number].count)
    }
    var expected = [name: ""]
    switch change {
    case .grown:
      try stage.photo(name, old + [1, 2, 3])
      expected = [name: "size"]
    case .written:
      try stage.photo(name, Pictures.small[9])
      expected = [name: Pictures.small[9].count == old.count ? "modified" : "size"]
    case .touched:
      try stage.setModified(name, seconds: 1_600_000_000, nanoseconds: 5)
      expected = [name: "modified"]
    case .chmod:
      try #require(unsafe chmod(path, 0o640) == 0)
      expected = [name: "modified"]
    case .replaced:
      try stage.photo("new", old)
      try #require(unsafe rename(stage.source + "/new", path) == 0)
      expected = [name: "replaced"]
    case .sameSizeAndTime, .replacedSameSizeAndTime:
      try stage.photo(name, ofOneSize(3))
      try stage.setModified(name, seconds: 1_700_000_000)
      _ = try await nights.night()
      try stage.photo(change == .sameSizeAndTime ? name : "new", ofOneSize(7))
      if change == .replacedSameSizeAndTime { try #require(unsafe rename(stage.source + "/new", path) == 0) }
      try stage.setModified(name, seconds: 1_700_000_000)
      expected = [name: change == .sameSizeAndTime ? "modified" : "replaced"]
    case .removed:
      try FileManager.default.removeItem(atPath: path)
      expected = [:]
    case .added:
      try stage.photo("c/d2.jpg", 8)
      expected = ["c/d2.jpg": "new"]
    }
    let night = try await nights.night()
    #expect(night.reads == expected)
    let told = try night.result.records().filter { $0.text("record") == "read" }
    #expect(told.map(\.path) == expected.keys.sorted() && told.map { $0.text("reason") } == Array(expected.values))
    #expect(night.vanished == (change == .removed ? [name] : []))
    #expect(night.unchanged == (change == .removed || change == .added ? (change == .added ? 5 : 4) : 4))
    try await nights.expectFresh()
    let again = try await nights.night()
    #expect(again.reads == [:] && again.vanished == [], "it is told once")
  }

  @Test func `other options are another reason to read, and only those that make other rows`() async throws {
    let nights = try stage()
    _ = try await nights.night()
    for options in [["--thumbnail", "64"], ["--thumbnail", "64", "--decode", "full"], ["--max-pixels", "100M"]] {
      let night = try await nights.night(options)
      #expect(Set(night.reads.values) == ["options"] && night.reads.count == 5, "\(options)")
      try await nights.expectFresh(options)
    }
    for options in [["--timeout", "30"], ["--order", "size"], ["-j", "1"], ["--manifest", "csv"]] {
      let night = try await nights.night(["--max-pixels", "100M"] + options)
      #expect(night.reads == [:], "\(options)")
    }
  }

  @Test(arguments: ["name", "captured", "modified", "size"])
  func `another order reads nothing and gives the manifest of that order`(order: String) async throws {
    let nights = NightStage(stage: try RunStage.ofSamples())
    _ = try await nights.night(code: 3)
    let night = try await nights.night(["--order", order], code: 3)
    #expect(night.reads == [:])
    try await nights.expectFresh(["--order", order], code: 3)
    // And one photo more, among rows that were not read.
    try nights.stage.photo("alps/extra.jpg", try Pictures.sample("still-life.jpg"))
    #expect(try await nights.night(["--order", order], code: 3).reads == ["alps/extra.jpg": "new"])
    try await nights.expectFresh(["--order", order], code: 3)
  }

  @Test func `a missing thumbnail is made again, and a stranger among them is swept`() async throws {
    let nights = try stage()
    _ = try await nights.night(["--thumbnail", "64", "--thumbnail", "32"])
    let before = try FolderState.ofOutput(nights.stage.output)
    let row = try nights.stage.row("b.jpg")
    let victim = try #require(row.thumbnails.last?.path)
    try FileManager.default.removeItem(atPath: "\(nights.stage.output)/\(victim)")
    try nights.stage.folder.add([.folder("out/thumbnails/64/00", [.text("0123456789abcdef0123.jpg", "x")])])
    let night = try await nights.night(["--thumbnail", "64", "--thumbnail", "32"])
    #expect(night.reads == ["b.jpg": "output-missing"])
    #expect(try FolderState.ofOutput(nights.stage.output).contents == before.contents)
  }

  @Test(arguments: ["manifest.jsonl", "manifest.json", "manifest.csv", "SHA256SUMS"])
  func `a manifest that was lost or written to is made again without reading a photo`(name: String) async throws {
    let nights = try stage()
    let options = ["--manifest", "json,csv,sha256"]
    _ = try await nights.night(options)
    let before = try FolderState.ofOutput(nights.stage.output)
    let file = "\(nights.stage.output)/\(name)"
    try FileManager.default.removeItem(atPath: file)
    #expect(try await nights.night(options).reads == [:])
    #expect(try FolderState.ofOutput(nights.stage.output).contents == before.contents)
    try nights.stage.folder.file("out/\(name)", Array("scribble".utf8))
    #expect(try await nights.night(options).reads == [:])
    #expect(try FolderState.ofOutput(nights.stage.output).contents == before.contents)
  }

  @Test func `a photo of a good row may be bad, and the code says so every night until it is mended`() async throws {
    let nights = try stage()
    let whole = try nights.stage.folder.bytes(of: "in/b.jpg")
    try nights.stage.photo("b.jpg", Array(whole.prefix(whole.count / 2)))
    _ = try await nights.night(code: 3)
    #expect(try nights.report().flag("problems_changed") == true)
    #expect(try await nights.night(code: 3).reads == [:])
    #expect(try nights.report().flag("problems_changed") == false)
    #expect(try await nights.night(["--retry-failed"], code: 3).reads == ["b.jpg": "retry"])
    #expect(try nights.report().flag("problems_changed") == false)
    try nights.stage.photo("b.jpg", whole)
    #expect(try await nights.night().reads == ["b.jpg": "size"])
    #expect(try nights.report().flag("problems_changed") == true)
    try await nights.expectFresh()
  }

  @Test func `with --full everything is read again, and nothing is written for it`() async throws {
    let nights = try stage()
    _ = try await nights.night()
    let before = try FolderState.ofOutput(nights.stage.output)
    let night = try await nights.night(["--full"])
    #expect(night.reads.count == 5 && Set(night.reads.values) == ["forced"])
    #expect(try FolderState.ofOutput(nights.stage.output).differences(from: before) == [])
  }

  @Test func `unsupported photos that are left out are not read again, and come back without being read`() async throws
  {
    let nights = try stage()
    try nights.stage.photo("g.heic", [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8))
    let skip = ["--unsupported", "skip"]
    #expect(try await nights.night(skip).reads.count == 6)
    let night = try await nights.night(skip)
    #expect(night.reads == [:])
    #expect(night.summary["left_out", "unsupported"]?.integerValue == 1)
    #expect(try await nights.night(code: 3).reads == [:])
    try await nights.expectFresh(code: 3)
    #expect(try await nights.night(skip).reads == [:])
    try await nights.expectFresh(skip)
  }

  @Test func `names that are left out by a glob leave the manifest, and are not called gone`() async throws {
    let nights = try stage()
    _ = try await nights.night()
    let night = try await nights.night(["--include", "a.jpg"])
    #expect(night.reads == [:] && night.vanished == [])
    try await nights.expectFresh(["--include", "a.jpg"])
    #expect(try await nights.night().reads.count == 4)
    try await nights.expectFresh()
  }

  @Test func `--on-error stop holds for a photo that is known to be bad`() async throws {
    let nights = try stage()
    try nights.stage.photo("b.jpg", Array("no photo".utf8))
    _ = try await nights.night(code: 3)
    let night = try await nights.night(["--on-error", "stop"], code: 1)
    #expect(night.reads == [:])
  }
}
