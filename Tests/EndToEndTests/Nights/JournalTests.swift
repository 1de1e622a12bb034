import Catalogue
import Foundation
import Glibc
import IngestTestSupport
import Testing

/// A run that is killed has lost no more than the photos it had in hand.
@Suite(.timeLimit(.minutes(4)), .serialized)
struct JournalTests {
  private static let photos = 60

  private func stage() throws -> NightStage {
    let nights = try NightStage([])
    let sample = try Pictures.sample("still-life.jpg")
    for index in 0..<Self.photos {
      try nights.stage.photo("\(index).jpg", sample + [UInt8(index)])
      try nights.stage.setModified("\(index).jpg", seconds: 1_700_000_000)
    }
    return nights
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func `work done before a kill is not done again`(signal: Int32) async throws {
    let nights = try stage()
    var seen = 0
    for moment in [5, 20, 35] {
      let command = nights.stage.command(["--json", "-j", "2"])
      let result = try await onOwnThread { () throws(SpawnFailure) in
        let running = try command.start()
        running.waitForText("\"index\":\(moment),")
        running.send(signal)
        return running.finish()
      }
      #expect(result.end == .signalled(signal), "\(result)")
      // The last line may be cut.
      let text = String(decoding: result.output, as: UTF8.self)
      // Rows of photos that were known are told too.
      let told = text.split(separator: "\n").filter { $0.contains("\"record\":\"asset\"") }.count
      #expect(told > moment - 1)
      #expect(!FileManager.default.fileExists(atPath: nights.stage.output + "/manifest.jsonl"))
      seen = max(seen, told)
    }
    let night = try await nights.night()
    // A kill costs what was in hand: two photos decoded, and those decoded and not yet taken.
    let known = night.unchanged ?? 0
    #expect(known >= seen, "\(known) known of \(seen) that were told")
    #expect(night.reads.count == Self.photos - known)
    #expect(seen >= 30)
    try await nights.expectFresh()
    #expect(nights.stage.litter() == [])
  }

  @Test func `a kill between a changed row and the manifest leaves no old row behind`() async throws {
    let nights = try stage()
    _ = try await nights.night()
    let old = try nights.stage.manifest
    for index in 0..<Self.photos { try nights.stage.setModified("\(index).jpg", seconds: 1_600_000_000) }
    let command = nights.stage.command(["--json", "--full", "-j", "1"])
    let result = try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      running.waitForText("\"index\":3,")
      running.send(SIGKILL)
      return running.finish()
    }
    #expect(result.end == .signalled(SIGKILL))
    #expect(try nights.stage.manifest == old)
    _ = try await nights.night()
    try await nights.expectFresh()
  }

  @Test func `a kill while the catalogue is made again leaves word of it`() async throws {
    let nights = try stage()
    _ = try await nights.night()
    // The state in which such a kill leaves it: some photos are not in it yet.
    do {
      let catalogue = try Catalogue.open(nights.stage.folder["out/.photo-ingest/catalogue.sqlite"])
      let known = try catalogue.photos(after: nil).map(\.path)
      try catalogue.settle(forgetting: Array(known.dropFirst(20)), keeping: ["rebuilding": "yes"])
    }
    #expect(try await nights.night().reads == [:])
    try await nights.expectFresh()
  }
}
