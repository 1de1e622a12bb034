import Foundation
import Glibc
import IngestTestSupport
import Testing

/// A catalogue that cannot be used is put aside and made again from the manifest, and nothing is read for it (K8).
@Suite(.timeLimit(.minutes(4)), .serialized)
struct CatalogueFaultTests {
  enum Fault: String, CaseIterable, Sendable {
    case removed, folderRemoved, empty, half, zeros, noise, text, version, link, folder, readOnly, held, bits
  }

  private static let file = "out/.photo-ingest/catalogue.sqlite"

  @Test(arguments: Fault.allCases)
  func `K8: whatever became of the catalogue, the night ends well and the manifest is the same`(fault: Fault)
    async throws
  {
    let nights = NightStage(stage: try RunStage.ofSamples())
    let (stage, folder) = (nights.stage, nights.stage.folder)
    let options = ["--manifest", "json,csv,sha256"]
    _ = try await nights.night(options, code: 3)
    let before = try FolderState.ofOutput(stage.output)
    let path = folder[Self.file]
    let bytes = try folder.bytes(of: Self.file)
    var holder: FileLock?
    switch fault {
    case .removed: try FileManager.default.removeItem(atPath: path)
    case .folderRemoved: try FileManager.default.removeItem(atPath: folder["out/.photo-ingest"])
    case .empty: try folder.file(Self.file, [])
    case .half: try folder.file(Self.file, Array(bytes.prefix(bytes.count / 2)))
    case .zeros: try folder.file(Self.file, [UInt8](repeating: 0, count: bytes.count))
    case .noise: try folder.file(Self.file, SeededBytes.bytes(seed: 3, count: bytes.count))
    case .text: try folder.file(Self.file, Array(String(repeating: "not a catalogue\n", count: 300).utf8))
    case .version:
      var changed = bytes
      changed[60...63] = [0, 0, 0, 77]
      try folder.file(Self.file, changed)
    case .link:
      try folder.file("victim", bytes)
      try FileManager.default.removeItem(atPath: path)
      try folder.add([.link(Self.file, to: folder["victim"])])
    case .folder:
      try FileManager.default.removeItem(atPath: path)
      try folder.add([.folder(Self.file, [.text("mine", "x")])])
    case .readOnly: try #require(unsafe chmod(path, 0o400) == 0)
    case .held:
      holder = try FileLock(path)
    case .bits:
      // One in the middle of a row's text.
      var changed = bytes
      let place = try #require(Data(bytes).range(of: Data("still-life.jpg\"".utf8))).lowerBound
      changed[place + 2] ^= 1
      try folder.file(Self.file, changed)
    }
    let night = try await nights.night(options, code: 3)
    if fault == .folderRemoved {
      // Nothing says any more with which options these were made.
      #expect(night.reads == ["alps/IMG_0012.jpg": "options", "harbour/notes.jpg": "options"])
    } else {
      #expect(night.reads == [:], "\(night.reads)")
    }
    // A folder that is made again changes the one that it is in.
    let different = try FolderState.ofOutput(stage.output).differences(from: before)
    #expect(different == (fault == .folderRemoved ? [""] : []))
    let isQuiet = [.removed, .folderRemoved, .readOnly].contains(fault)
    #expect(night.warnings.isEmpty == isQuiet, "\(night.warnings)")
    let again = try await nights.night(options, code: 3)
    #expect(again.reads == [:])
    if fault != .held { #expect(again.warnings == []) }
    if fault == .link { #expect(try folder.bytes(of: "victim") == bytes) }
    withExtendedLifetime(holder) {}

    // What the new catalogue knows is as good as what the old one knew.
    try stage.photo("zz.jpg", 3)
    #expect(try await nights.night(options, code: 3).reads == ["zz.jpg": "new"])
    try await nights.expectFresh(options, code: 3)
  }

  @Test func `a lost catalogue and a changed photo: the change is found`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg", "c.jpg"])
    _ = try await nights.night()
    try FileManager.default.removeItem(atPath: nights.stage.folder[Self.file])
    try nights.stage.photo("b.jpg", 7)
    #expect(try await nights.night().reads.keys.sorted() == ["b.jpg"])
    try await nights.expectFresh()
  }

  @Test func `a lost catalogue and other options: every photo is read`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg"])
    _ = try await nights.night()
    try FileManager.default.removeItem(atPath: nights.stage.folder["out/.photo-ingest"])
    #expect(try await nights.night(["--thumbnail", "32"]).reads == ["a.jpg": "options", "b.jpg": "options"])
    try await nights.expectFresh(["--thumbnail", "32"])
  }

  @Test func `a lost catalogue and a damaged manifest: every photo is read, with a warning`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg"])
    _ = try await nights.night()
    try FileManager.default.removeItem(atPath: nights.stage.folder[Self.file])
    let manifest = try nights.stage.manifest
    try nights.stage.folder.file("out/manifest.jsonl", Array(manifest.prefix(manifest.count - 20)))
    let night = try await nights.night()
    #expect(night.reads == ["a.jpg": "new", "b.jpg": "new"])
    #expect(night.warnings.contains { $0.contains("manifest.jsonl cannot be used") }, "\(night.warnings)")
    try await nights.expectFresh()
  }

  @Test(arguments: [
    (["--max-pixels", "100"], []), (["--no-thumbnails"], []),
    (["--no-thumbnails"], ["--no-thumbnails", "--decode", "full"]),
    ([], ["--originals", "copy"]),
  ])
  func `without word of the last options no row is taken that others may have made`(
    before: [String], after: [String]
  ) async throws {
    let nights = NightStage(stage: try RunStage(["a.jpg", "b.jpg"]))
    let cut = try FolderState(of: nights.stage.source).contents[Array("a.jpg".utf8)]?.dropLast(200)
    try nights.stage.photo("cut.jpg", Array(cut ?? []))
    _ = try await nights.night(before, code: 3)
    try FileManager.default.removeItem(atPath: nights.stage.folder["out/.photo-ingest"])
    _ = try await nights.night(after, code: 3)
    try await nights.expectFresh(after, code: 3)
  }
}
