import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// A source that looks as if its disk were not there ends the run before the manifest is touched (J7).
@Suite(.timeLimit(.minutes(3)), .serialized)
struct SourceGuardTests {
  private static let names = ["a.jpg", "b.jpg", "c/d.jpg", "c/e.jpg"]

  private func expectRefused(_ nights: NightStage, _ words: String, namesOption: Bool = true) async throws {
    let before = try FolderState.ofOutput(nights.stage.output)
    let result = try await nights.stage.run([], code: 1)
    #expect(result.errorText.contains("source folder \(nights.stage.source): " + words), "\(result)")
    #expect(result.errorText.contains("--accept-missing") == namesOption, "\(result)")
    #expect(try FolderState.ofOutput(nights.stage.output).differences(from: before) == [])
    // Without a source nothing is done with the output at all.
    #expect(try nights.report().flag("complete") == !namesOption)
  }

  @Test func `J7: an empty folder, and then the photos are there again`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    let (source, away) = (nights.stage.source, nights.stage.folder["away"])
    try #require(unsafe rename(source, away) == 0)
    try nights.stage.folder.add([.folder("in", [])])
    try await expectRefused(nights, "it is empty, and 4 photos are known in it")
    try #require(unsafe rmdir(source) == 0 && rename(away, source) == 0)
    #expect(try await nights.night().reads == [:])
  }

  @Test func `J7: a missing folder`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    try #require(unsafe rename(nights.stage.source, nights.stage.folder["away"]) == 0)
    try await expectRefused(nights, "cannot be opened: No such file or directory", namesOption: false)
  }

  @Test func `more than half of the photos gone, and with --accept-missing they leave the manifest`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    for name in Self.names.dropFirst() { try FileManager.default.removeItem(atPath: "\(nights.stage.source)/\(name)") }
    try await expectRefused(nights, "3 of 4 photos known in it are gone")
    let night = try await nights.night(["--accept-missing"])
    #expect(night.vanished == Array(Self.names.dropFirst()) && night.reads == [:])
    try await nights.expectFresh()
    try FileManager.default.removeItem(atPath: "\(nights.stage.source)/a.jpg")
    #expect(try await nights.night(["--accept-missing"]).vanished == ["a.jpg"])
    try await nights.expectFresh()
  }

  @Test func `half of the photos gone is a night like others`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    for name in Self.names.dropFirst(2) { try FileManager.default.removeItem(atPath: "\(nights.stage.source)/\(name)") }
    let result = try await nights.stage.run([], code: 0)
    #expect(result.errorText.contains("gone from the source, and so from the manifest:\n  c/d.jpg\n  c/e.jpg\n"))
    try await nights.expectFresh()
  }

  @Test func `another device than last time`() async throws {
    let nights = try NightStage(Self.names)
    _ = try await nights.night()
    let file = ".photo-ingest/source"
    let text = String(decoding: try nights.stage.folder.bytes(of: "out/" + file), as: UTF8.self)
    var status = stat()
    try #require(unsafe stat(nights.stage.source, &status) == 0)
    #expect(text == "{\"device\":\(status.st_dev),\"path\":\"\(nights.stage.source)\"}\n")
    try nights.stage.folder.file("out/" + file, Array("{\"device\":1,\"path\":\"/gone\"}\n".utf8))
    try await expectRefused(nights, "it lies on another device than last time")
    #expect(try await nights.night(["--accept-missing"]).reads == [:])
    #expect(try await nights.night().reads == [:])
  }

  @Test func `a first run on an empty folder is good, and so is the second`() async throws {
    let nights = try NightStage([])
    for _ in 0..<2 {
      let night = try await nights.night()
      #expect(night.summary["totals", "assets"]?.integerValue == 0)
    }
    try nights.stage.photo("a.jpg")
    #expect(try await nights.night().reads == ["a.jpg": "new"])
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `J3: photos below a folder that cannot be read stay, as unreadable, and come back`() async throws {
    let nights = try NightStage(Self.names)
    try nights.stage.openToAll()
    func night(code: Int32) async throws -> NightStage.Night {
      let result = try await Unprivileged.command(nights.stage.command(["--json"])).run()
      #expect(result.end == .exited(code), "\(result)")
      return try NightStage.Night(result, in: nights.stage)
    }
    _ = try await night(code: 0)
    try #require(unsafe chmod("\(nights.stage.source)/c", 0) == 0)
    for reads in [[:], [:]] as [[String: String]] {
      let night = try await night(code: 3)
      #expect(night.reads == reads && night.vanished == [])
      #expect(try nights.stage.paths() == Self.names)
      for row in try nights.stage.rows() where row.path.hasPrefix("c/") {
        #expect(row.code == "unreadable" && row.message.contains("Permission denied"))
      }
    }
    let unreadable = try FolderState.ofOutput(nights.stage.output)
    _ = try await night(code: 3)
    #expect(try FolderState.ofOutput(nights.stage.output).differences(from: unreadable) == [])
    try #require(unsafe chmod("\(nights.stage.source)/c", 0o777) == 0)
    #expect(try await night(code: 0).reads == ["c/d.jpg": "retry", "c/e.jpg": "retry"])
    try await nights.expectFresh()
  }

  @Test func `young files come last, after a wait, and the order of the manifest is the same`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg", "c.jpg"])
    let now = Int(Date().timeIntervalSince1970)
    try nights.stage.setModified("a.jpg", seconds: now)
    try nights.stage.setModified("b.jpg", seconds: now + 86_400)
    let result = try await nights.stage.run(["--json", "--min-age", "3"], code: 0)
    let records = try result.records()
    let list = try Facts.lines(of: nights.stage.output + "/.photo-ingest/last-run-photos.jsonl")
    #expect(list.map(\.path) == ["b.jpg", "c.jpg", "a.jpg"])
    #expect(records.filter { $0.text("record") == "asset" }.map(\.path) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect((records.last?.number("seconds") ?? 0) > 1.5)
    try await nights.expectFresh()
  }
}
