import Foundation
import Glibc
import IngestTestSupport
import Testing

/// Renames and moves photos between two runs: they are read, known by their content, and not decoded again.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct RenamedTests {
  private static let names = ["a.jpg", "b.jpg", "c/d.jpg", "c/e.jpg"]

  /// Runs the second night under a decoder that cannot be started: whatever is decoded would end the run.
  private func nightWithoutDecoding(_ nights: NightStage) async throws -> NightStage.Night {
    let night = try await nights.night()
    #expect(Set(night.known.keys) == Set(night.reads.keys), "all that was read was known")
    return night
  }

  @Test func `a renamed photo is known again and has its thumbnail under the new name`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    try #require(unsafe rename("\(nights.stage.source)/a.jpg", "\(nights.stage.source)/z.png") == 0)
    let night = try await nightWithoutDecoding(nights)
    #expect(night.reads == ["z.png": "new"] && night.known == ["z.png": "a.jpg"])
    #expect(night.vanished == [])
    #expect(try nights.stage.row("z.png").notes == ["extension-mismatch"])
    try await nights.expectFresh()
    #expect(try await nights.night().reads == [:])
  }

  @Test func `a folder that is renamed is no loss, however much lies in it`() async throws {
    let nights = try NightStage(["c/1.jpg", "c/2.jpg", "c/3.jpg", "d.jpg"])
    _ = try await nights.night()
    try #require(unsafe rename("\(nights.stage.source)/c", "\(nights.stage.source)/e") == 0)
    let night = try await nightWithoutDecoding(nights)
    #expect(night.known == ["e/1.jpg": "c/1.jpg", "e/2.jpg": "c/2.jpg", "e/3.jpg": "c/3.jpg"])
    try await nights.expectFresh()
  }

  @Test(arguments: [[], ["--full"]])
  func `a folder that was renamed before a run that was stopped is no loss for the next one`(options: [String])
    async throws
  {
    let nights = try NightStage(["c/1.jpg", "c/2.jpg", "c/3.jpg", "d.jpg"])
    _ = try await nights.night()
    try #require(unsafe rename("\(nights.stage.source)/c", "\(nights.stage.source)/e") == 0)
    try nights.stage.photo("zz.jpg", Array(Pictures.small[5].dropLast(50)))
    try await nights.stage.run(["-j1", "--on-error", "stop"], code: 1)
    try nights.stage.remove("in/zz.jpg")
    let night = try await nights.night(options)
    #expect(night.vanished == [])
    try await nights.expectFresh()
    // What is really gone is still missed.
    for name in ["1", "2", "3"] { try nights.stage.remove("in/e/\(name).jpg") }
    try await nights.stage.run(code: 1)
  }

  @Test func `a photo that comes back as a copy with its time is known again`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    let bytes = try nights.stage.folder.bytes(of: "in/b.jpg")
    try FileManager.default.removeItem(atPath: "\(nights.stage.source)/b.jpg")
    try nights.stage.photo("copy.jpg", bytes)
    try nights.stage.setModified("copy.jpg", seconds: 1_700_000_000)
    #expect(try await nightWithoutDecoding(nights).known == ["copy.jpg": "b.jpg"])
    try await nights.expectFresh()
  }

  @Test func `another photo that took name, size and time of a gone one is not taken for it`() async throws {
    let nights = try NightStage(Self.names)
    let old = try nights.stage.folder.bytes(of: "in/b.jpg")
    _ = try await nights.night()
    try FileManager.default.removeItem(atPath: "\(nights.stage.source)/b.jpg")
    var other = old
    other[old.count / 2] ^= 0xFF
    try nights.stage.photo("z.jpg", other)
    try nights.stage.setModified("z.jpg", seconds: 1_700_000_000)
    let result = try await nights.stage.run("--json")
    let night = try NightStage.Night(result, in: nights.stage)
    #expect(night.reads == ["z.jpg": "new"] && night.known == [:] && night.vanished == ["b.jpg"])
    try await nights.expectFresh(code: result.exitCode ?? -1)
  }

  @Test func `a thumbnail that is no longer what was written is not handed on`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    let path = try #require(try nights.stage.row("a.jpg").thumbnails.first?.path)
    let bytes = try nights.stage.folder.bytes(of: "out/\(path)")
    try nights.stage.folder.file("out/\(path)", Array(bytes.reversed()))
    try #require(unsafe rename("\(nights.stage.source)/a.jpg", "\(nights.stage.source)/z.jpg") == 0)
    let night = try await nights.night()
    #expect(night.reads == ["z.jpg": "new"] && night.known == [:])
    try await nights.expectFresh()
  }
}
