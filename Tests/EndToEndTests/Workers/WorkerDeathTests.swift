import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Kills and stops decoders of real runs: no photo may take the run down, and no decoder may outlive it.
@Suite(.timeLimit(.minutes(2)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct WorkerDeathTests {
  /// How slow a start is under a sanitizer.
  private static let slowness = BuiltProgram.isSanitized ? 20.0 : 1.0

  @Test func `decoders killed at random every 50 ms cost at most their own photos`() async throws {
    let count = BuiltProgram.isSanitized ? 40 : 300
    let stage = try WorkerStage.many(count)
    let command = stage.command(["-j", "2"], timeLimit: 100)
    let (result, kills) = try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      let killer = DecoderKiller(of: running.processID, every: 0.05 * Self.slowness, seed: 3)
      let result = running.finish()
      return (result, killer.end())
    }
    #expect(kills > (BuiltProgram.isSanitized ? 0 : 5), "the run was hit \(kills) times")
    #expect(result.end == .exited(0) || result.end == .exited(3), "\(result)")
    try WorkerStage.expectAllRows(stage, count)
    let bad = try stage.rows().filter { $0.status != "verified" }
    for row in bad {
      #expect(row.code == "decoder-crashed", "\(row.path): \(row.message)")
      #expect(row.message == "the decoder died of signal 9 (SIGKILL) on this photo, twice")
    }
    // Twice in a row on one photo is rare at this pace.
    #expect(bad.count < kills, "\(bad.count) of \(count) after \(kills) kills")
  }

  @Test func `a run killed at any moment leaves no decoder`() async throws {
    let stage = try WorkerStage.many(60)
    for moment in 0..<8 {
      // What an earlier run had finished before it was killed would need no decoder.
      let command = stage.command(["-j", "2", "--full", "--json"])
      let decoders = try await onOwnThread { () throws in
        let running = try command.start()
        // From before the first decoder is there to the middle of the work.
        let found = moment < 2 || ProcessTable.waits { !ProcessTable.decoders(of: running.processID).isEmpty }
        #expect(found)
        // Then a little further each time.
        if moment > 2 { running.waitForText("\"index\":\(moment * 5),") }
        let decoders = ProcessTable.decoders(of: running.processID)
        running.send(SIGKILL)
        _ = running.finish()
        return decoders
      }
      let areGone = await onOwnThread {
        ProcessTable.waits(limit: 1) { !decoders.contains(where: ProcessTable.isAlive) }
      }
      #expect(areGone, "moment \(moment)")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the run within 5 seconds and leaves no decoder, also a stopped one`(signal: Int32) async throws {
    let stage = try WorkerStage.many(200)
    let command = stage.command(["-j", "2"])
    let (result, decoders, time) = try await onOwnThread { () throws in
      let running = try command.start()
      #expect(ProcessTable.waits { ProcessTable.decoders(of: running.processID).count == 2 })
      let decoders = ProcessTable.decoders(of: running.processID)
      // One that can answer nothing, and does not hear a friendly signal.
      if let first = decoders.first { kill(first, SIGSTOP) }
      let clock = ContinuousClock()
      let sent = clock.now
      running.send(signal)
      return (running.finish(), decoders, clock.now - sent)
    }
    #expect(result.end == .signalled(signal))
    #expect(time < .seconds(5))
    #expect(decoders.count == 2)
    let areGone = await onOwnThread {
      ProcessTable.waits(limit: 1) { !decoders.contains(where: ProcessTable.isAlive) }
    }
    #expect(areGone)
  }

  @Test func `a photo over its time is a timeout, its decoder is replaced, and the run goes on`() async throws {
    let count = BuiltProgram.isSanitized ? 10 : 60
    let stage = try WorkerStage.many(count)
    let command = stage.command(
      ["-j", "1", "--timeout", "\(Int(2 * Self.slowness.squareRoot()))", "--json"], timeLimit: 100)
    let (result, stopped) = try await onOwnThread { () throws in
      let running = try command.start()
      running.waitForText("\"record\":\"asset\"")
      let decoders = ProcessTable.decoders(of: running.processID)
      if let first = decoders.first { kill(first, SIGSTOP) }
      let result = running.finish()
      return (result, decoders)
    }
    #expect(stopped.count == 1)
    #expect(result.end == .exited(3), "\(result.errorText)")
    try WorkerStage.expectAllRows(stage, count)
    let bad = try stage.rows().filter { $0.status != "verified" }
    #expect(bad.map(\.code) == ["timeout"])
    #expect(bad.first?.message.hasPrefix("the photo took longer than the time limit of ") == true)
    #expect(!stopped.contains(where: ProcessTable.isAlive))
  }

  @Test func `a run that has ended leaves no decoder`() async throws {
    let stage = try WorkerStage.many(10)
    let command = stage.command(["-j", "8"])
    let decoders = try await onOwnThread { () throws in
      let running = try command.start()
      var decoders: Set<Int32> = []
      while ProcessTable.isAlive(running.processID) { decoders.formUnion(ProcessTable.decoders(of: running.processID)) }
      #expect(running.finish().end == .exited(0))
      return decoders
    }
    #expect(!decoders.contains(where: ProcessTable.isAlive))
  }
}
