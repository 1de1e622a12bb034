import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Makes bags and holds them against the RFC and against another program that reads them.
@Suite(.timeLimit(.minutes(3)))
struct BagTests {
  static let oddNames: [[UInt8]] =
    [
      "50%.jpg", "per%0Acent.jpg", "nl\nname.jpg", "cr\rname.jpg", " lead.jpg", "trail.jpg ", "tab\tin.jpg",
      "*star.jpg",
      "back\\slash.jpg", "line\u{2028}end.jpg", "caf\u{E9}.jpg", "cafe\u{301}.jpg", "~tilde.jpg", "50% off/in.jpg",
      " blank folder /in.jpg",
    ].map { Array($0.utf8) } + [
      [0x63, 0x61, 0x66, 0xE9] + Array(".jpg".utf8),
      Array(repeating: UInt8(ascii: "%"), count: 251) + Array(".jpg".utf8),
      Array(repeating: UInt8(ascii: "x"), count: 251) + Array(".jpg".utf8),
    ]

  private func oddStage() throws -> RunStage {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    for (number, name) in Self.oddNames.enumerated() {
      try stage.photo(name, Pictures.small[number % Pictures.small.count])
    }
    try stage.photo("cut.jpg", Array(Pictures.small[1].dropLast(40)))
    try stage.photo("empty.jpg", [UInt8]())
    return stage
  }

  @Test(arguments: [
    ["--manifest", "bagit"], ["--manifest", "bagit", "--originals", "copy"], ["--originals", "symlink"],
  ])
  func `a bag holds every file with a checksum and meets the RFC`(options: [String]) async throws {
    let stage = try oddStage()
    try await stage.run(options, code: 3)
    _ = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
    let checker = try BagChecker(stage.output + "/bag")
    #expect(checker.faults == [])
    let rows = try stage.rows().filter { $0.text("sha256") != nil }
    #expect(checker.payload.values.sorted() == rows.compactMap { $0.text("sha256") }.sorted())
    #expect(rows.count == Self.oddNames.count + 4)
    #expect(try await stage.findings(code: 0) == [])

    // Every renamed file is listed with its exact name, and the others keep theirs.
    let renamed = try Facts.lines(of: stage.output + "/bag/original-names.jsonl")
    let originals = Dictionary(
      uniqueKeysWithValues: renamed.map { (Array(($0.text("bag_path") ?? "").utf8), $0.exactPath) })
    let names = Set(checker.payload.keys.map { originals[$0] ?? Array($0.dropFirst(5)) })
    #expect(names == Set(rows.map(\.exactPath)))
    for name in renamed {
      #expect((name.text("bag_path") ?? "").contains(#/~[0-9a-f]{8}/#))
    }
    #expect(checker.payload[Array("data/*star.jpg".utf8)] != nil)
  }

  static let python: String? = {
    let named = ProcessInfo.processInfo.environment["PHOTO_INGEST_BAGIT_PYTHON"]
    return [named, "/usr/bin/python3"].compactMap { $0 }.first {
      (try? Command($0, ["-c", "import bagit"]).runBlocking().exitCode) == 0
    }
  }()

  @Test(
    .enabled(if: python != nil, "bagit-python is not installed; PHOTO_INGEST_BAGIT_PYTHON names a python that has it"))
  func `bagit-python takes the bag as valid, and a changed one as not`() async throws {
    let stage = try oddStage()
    try await stage.run(["--manifest", "bagit"], code: 3)
    let check = "import bagit, sys; bagit.Bag(sys.argv[1]).validate()"
    let python = try #require(Self.python)
    let good = try await Command(python, ["-c", check, stage.output + "/bag"]).run()
    #expect(good.exitCode == 0, "\(good)")
    try stage.append("out/bag/data/a.jpg")
    #expect(try await Command(python, ["-c", check, stage.output + "/bag"]).run().exitCode == 1)
  }

  @Test func `a bag that is current is left alone, byte and time`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    try await stage.run(["--manifest", "bagit"], code: 0)
    try stage.folder.file(
      "out/bag/bag-info.txt",
      Array(
        String(decoding: try stage.folder.bytes(of: "out/bag/bag-info.txt"), as: UTF8.self)
          .replacing(/Bagging-Date: .*/, with: "Bagging-Date: 2001-02-03").utf8))
    try fixTagManifest(stage)
    let before = try FolderState(of: stage.output + "/bag")
    try await stage.run(["--manifest", "bagit"], code: 0)
    let again = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
    #expect(again.errorText.hasPrefix("the bag is current: 2 files"), "\(again)")
    #expect(try FolderState(of: stage.output + "/bag").differences(from: before) == [])

    // One more photo is a new bag, also without the option: a bag that stands is kept current.
    try stage.photo("c.jpg", 5)
    try await stage.run([], code: 0)
    #expect(try BagChecker(stage.output + "/bag").faults == [])
    #expect(try BagChecker(stage.output + "/bag").payload.count == 3)
    #expect(!String(decoding: try stage.folder.bytes(of: "out/bag/bag-info.txt"), as: UTF8.self).contains("2001-02-03"))
    #expect(stage.links("out/bag/data/a.jpg") == 1)
    #expect(stage.foldersOfItsOwn() == [])
  }

  @Test(arguments: ["export", "--full"])
  func `a bag that has rotted is not called current`(mender: String) async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    let options = ["--originals", "copy", "--manifest", "bagit"]
    try await stage.run(options, code: 0)
    // The size stays, and the bag shares its file with originals/.
    try stage.rot("out/originals/a.jpg")
    try #require(try BagChecker(stage.output + "/bag").faults != [])
    // A run that reads little looks at little.
    try await stage.run(options, code: 0)
    #expect(try BagChecker(stage.output + "/bag").faults != [])
    if mender == "export" {
      let mended = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
      #expect(mended.errorText.hasPrefix("a new bag: 2 files"), "\(mended)")
    } else {
      try await stage.run(options + ["--full"], code: 0)
    }
    #expect(try BagChecker(stage.output + "/bag").faults == [])
    let again = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
    #expect(again.errorText.hasPrefix("the bag is current: 2 files"), "\(again)")
    if mender == "--full" { #expect(try await stage.findings(code: 0) == []) }
  }

  @Test func `a source folder that is not where the last run has found it is named`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run([], code: 0)
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["away"])
    let failed = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 1)
    #expect(
      failed.errorText.contains("the source folder \(stage.source): cannot be opened: No such file or directory"),
      "\(failed)")
    _ = try await stage.invoke(
      ["export", "--format", "bagit", "--source", stage.folder["away"], stage.output], code: 0)
  }

  private func fixTagManifest(_ stage: RunStage) throws {
    let script = "cd \"$0\" && sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt"
    try #require(try Command("/bin/sh", ["-c", script, stage.output + "/bag"]).runBlocking().exitCode == 0)
  }

  @Test func `originals get a second name, sources never do`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--manifest", "bagit"], code: 0)
    #expect(stage.links("in/a.jpg") == 1 && stage.links("out/bag/data/a.jpg") == 1)
    try stage.remove("out/bag")
    try await stage.run(["--manifest", "bagit", "--originals", "copy"], code: 0)
    #expect(stage.links("in/a.jpg") == 1)
    #expect(stage.links("out/bag/data/a.jpg") == 2 && stage.links("out/originals/a.jpg") == 2)
    // With originals at hand a bag needs no source.
    try stage.remove("out/bag")
    try stage.remove("in/a.jpg")
    _ = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
    #expect(try BagChecker(stage.output + "/bag").faults == [])
  }

  @Test func `J12: a bag that fails in the middle has moved, renamed or touched no source`() async throws {
    let stage = try oddStage()
    try await stage.run([], code: 3)
    let sources = try FolderState(of: stage.source)
    // The last photo of the bag holds something else by now; all others have been bagged when it is met.
    try stage.photo("sub/b.jpg", 7)
    let changed = try FolderState(of: stage.source)
    _ = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 1)
    #expect(try FolderState(of: stage.source) == changed)
    #expect(stage.foldersOfItsOwn() == [] && !FileManager.default.fileExists(atPath: stage.output + "/bag"))
    try stage.photo("sub/b.jpg", 1)
    _ = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 0)
    #expect(try FolderState(of: stage.source).contents == sources.contents)
    #expect(try BagChecker(stage.output + "/bag").faults == [])
  }

  @Test func `a source that changed since is an error, and the old bag stays`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--manifest", "bagit"], code: 0)
    try stage.photo("c.jpg", 4)
    try await stage.run(["--manifest", "json"], code: 0)
    try stage.remove("out/bag/data/a.jpg")
    try stage.photo("a.jpg", 5)
    let before = try FolderState(of: stage.output)
    let failed = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 1)
    #expect(failed.errorText.contains("no new bag: a.jpg: does not hold any more what the manifest says"), "\(failed)")
    try stage.remove("in/a.jpg")
    _ = try await stage.invoke(["export", "--format", "bagit", stage.output], code: 1)
    #expect(
      try FolderState.ofOutput(stage.output).differences(from: before).allSatisfy { $0.hasPrefix(".photo-ingest") })
    #expect(stage.litter() == [])
  }

  @Test func `what strangers have put there is not taken away`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.file("out/bag/mine.txt", [1])
    let refused = try await stage.run(["--manifest", "bagit"], code: 1)
    #expect(refused.errorText.contains("bag: is there and is no bag that photo-ingest made"), "\(refused)")
    #expect(try stage.folder.bytes(of: "out/bag/mine.txt") == [1])
    try stage.remove("out/bag")
    try await stage.run(["--manifest", "bagit"], code: 0)
    try stage.folder.file("out/bag/data/mine.txt", [1])
    try stage.photo("b.jpg", 3)
    let kept = try await stage.run(["--manifest", "bagit"], code: 1)
    #expect(kept.errorText.contains("data/mine.txt: lies in the bag"), "\(kept)")
    #expect(try stage.folder.bytes(of: "out/bag/data/mine.txt") == [1])
    try stage.remove("out/bag")
    try stage.folder.file("elsewhere/x", [1])
    try stage.replaceByLink("out/bag", to: stage.folder["elsewhere"])
    try await stage.run(["--manifest", "bagit"], code: 1)
    #expect(try stage.folder.bytes(of: "elsewhere/x") == [1])
  }

  @Test func `a bag that was touched is found by verify`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg", "c.jpg"])
    try await stage.run(["--manifest", "bagit"], code: 0)
    try stage.append("out/bag/bag-info.txt")
    var bytes = try stage.folder.bytes(of: "out/bag/data/a.jpg")
    bytes[bytes.count / 2] ^= 1
    try stage.folder.file("out/bag/data/a.jpg", bytes)
    try stage.remove("out/bag/data/b.jpg")
    try stage.replaceByLink("out/bag/data/c.jpg", to: stage.source + "/c.jpg")
    try stage.folder.file("out/bag/data/new", [])
    #expect(
      try await stage.findings(code: 4) == [
        "changed bag bag/bag-info.txt", "changed bag bag/data/a.jpg", "missing bag bag/data/b.jpg",
        "changed bag bag/data/c.jpg", "unlisted bag bag/data/new",
      ])
    try stage.append("out/bag/manifest-sha256.txt", Array("0123 ../../x\n".utf8))
    #expect(try await stage.findings(code: 4).contains("damaged bag bag/manifest-sha256.txt"))
    try stage.remove("out/bag/tagmanifest-sha256.txt")
    #expect(try await stage.findings(code: 4).contains("missing bag bag/tagmanifest-sha256.txt"))
  }

  @Test func `a bag of no photos is a bag`() async throws {
    let stage = try RunStage()
    try await stage.run(["--manifest", "bagit"], code: 0)
    #expect(try BagChecker(stage.output + "/bag").faults == [])
    #expect(FileManager.default.fileExists(atPath: stage.output + "/bag/data"))
  }

  @Test func `what does not fit together is a wrong use`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run([], code: 0)
    _ = try await stage.invoke(["export", "--format", "bagit", "-o", "x", stage.output], code: 2)
    _ = try await stage.invoke(["export", "--format", "csv", "--source", "x", stage.output], code: 2)
    _ = try await stage.invoke(
      ["export", "--format", "bagit", "--source", stage.folder["nowhere"], stage.output], code: 1)
  }

  @Test(.enabled(if: FullDiskTests.canMount, "mounting a small file system needs root"))
  func `a full disk keeps the old bag and leaves nothing of the new one`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [])])
    try #require(
      try Command("/bin/mount", ["-t", "tmpfs", "-o", "size=400k", "none", stage.output]).runBlocking().exitCode == 0)
    defer { _ = try? Command("/bin/umount", [stage.output]).runBlocking() }
    try await stage.run(["--no-thumbnails", "--manifest", "bagit"], code: 0)
    let before = try FolderState(of: stage.output + "/bag")
    for number in 0..<100 { try stage.photo("more/\(number).jpg", number) }
    let full = try await stage.run(["--no-thumbnails", "--manifest", "bagit"], code: 1)
    #expect(full.errorText.contains("No space left on device"), "\(full)")
    #expect(try FolderState(of: stage.output + "/bag").contents == before.contents)
    #expect(stage.foldersOfItsOwn() == [])
  }
}
