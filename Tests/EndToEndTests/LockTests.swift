import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Starts runs that meet at one output folder (B4, K1).
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct LockTests {
  private let hold = "{\"host\":\"nas\\u001b[31m\",\"pid\":77,\"started\":\"2024-07-01T02:17:00Z\"}\n"

  /// An output folder that another program holds until the body has returned.
  private func whileHeld<Value: Sendable>(
    _ stage: RunStage, _ body: @escaping @Sendable (RunningCommand) throws -> Value
  ) async throws -> Value {
    try stage.folder.add([.folder("out", [.folder(".photo-ingest", [.text("lock", hold)])])])
    let holder = Command(
      "/usr/bin/flock", [stage.output + "/.photo-ingest/lock", "sh", "-c", "echo held; exec sleep 60"])
    return try await onOwnThread { () throws in
      let running = try holder.start()
      #expect(running.waitForText("held"))
      defer {
        running.send(SIGKILL, toGroup: true)
        _ = running.finish()
      }
      return try body(running)
    }
  }

  @Test(arguments: [
    [], ["--lock=fail"], ["--lock", "wait=0.1"], ["--lock=wait=0"], ["--quiet"], ["--lock=fail", "--json"],
  ])
  func `K1: a second run ends with 75 and names the holder, whose words cannot steer a terminal`(options: [String])
    async throws
  {
    let stage = try RunStage(["a.jpg"])
    let result = try await whileHeld(stage) { _ in try stage.command(options).runBlocking() }
    #expect(result.exitCode == 75, "\(result)")
    #expect(
      result.errorText.contains("another run has it: process 77 on nas\\x1b[31m, since 2024-07-01T02:17:00Z"),
      "\(result)")
    #expect(result.output.isEmpty || options.contains("--json"))
    #expect(
      stage.folder.listing().filter { $0.hasPrefix("out/") } == [
        "out/", "out/.photo-ingest/", "out/.photo-ingest/lock",
      ])
    #expect(try stage.folder.bytes(of: "out/.photo-ingest/lock") == Array(hold.utf8))
  }

  @Test func `K1: a second run is kept out also where somebody has removed the lock file`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [.folder(".photo-ingest", [])])])
    // What is left of a run's lock then.
    let holder = Command("/usr/bin/flock", [stage.output + "/.photo-ingest", "sh", "-c", "echo held; exec sleep 60"])
    let result = try await onOwnThread { () throws in
      let running = try holder.start()
      #expect(running.waitForText("held"))
      defer {
        running.send(SIGKILL, toGroup: true)
        _ = running.finish()
      }
      return try stage.command().runBlocking()
    }
    #expect(result.exitCode == 75, "\(result)")
    try await stage.run([], code: 0)
  }

  @Test(arguments: [(["--lock=skip"], 1), (["--lock=skip", "-q"], 0), (["--cron"], 0)])
  func `a run that may be skipped ends with 0, with a line at most`(options: [String], lines: Int) async throws {
    let stage = try RunStage(["a.jpg"])
    let result = try await whileHeld(stage) { _ in try stage.command(options).runBlocking() }
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.filter { $0 == UInt8(ascii: "\n") }.count == lines, "\(result)")
    #expect(result.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/manifest.jsonl"))
  }

  @Test func `a run that waits says so, and does its work when the holder is gone`() async throws {
    let stage = try RunStage(["a.jpg"])
    let result = try await whileHeld(stage) { holder in
      let waiting = try stage.command(["--lock=wait"]).start()
      #expect(waiting.waitForText("waiting: "))
      holder.send(SIGKILL, toGroup: true)
      return waiting.finish()
    }
    #expect(result.exitCode == 0, "\(result)")
    #expect(try stage.paths() == ["a.jpg"])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a wait at once`(signal: Int32) async throws {
    let stage = try RunStage(["a.jpg"])
    let (result, time) = try await whileHeld(stage) { _ in
      let waiting = try stage.command(["--lock=wait"]).start()
      #expect(waiting.waitForText("waiting: "))
      let clock = ContinuousClock()
      let sent = clock.now
      waiting.send(signal)
      return (waiting.finish(), clock.now - sent)
    }
    #expect(result.end == .signalled(signal), "\(result)")
    // It would be given up after 4 seconds.
    #expect(time < .seconds(3))
  }

  @Test func `a dry run takes no lock and minds none`() async throws {
    let stage = try RunStage(["a.jpg"])
    let before = try await whileHeld(stage) { _ in
      let before = try FolderState(of: stage.output)
      let result = try stage.command(["--dry-run"]).runBlocking()
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.outputText == "a.jpg\n")
      return before
    }
    #expect(try FolderState(of: stage.output).differences(from: before) == [])
  }

  @Test func `K1: of twenty starts at once one wins, and the others leave with their code and the winner's number`()
    async throws
  {
    for round in 0..<2 {
      let stage = try WorkerStage.many(12)
      let results = try await withThrowingTaskGroup(of: (Int32, CommandResult).self) { group in
        let start = Gate()
        for _ in 0..<20 {
          let command = stage.command(["-j", "1"])
          group.addTask {
            await start.passed()
            return try await onOwnThread { () throws in
              let running = try command.start()
              return (running.processID, running.finish())
            }
          }
        }
        start.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let winners = results.filter { $0.1.exitCode == 0 }
      let losers = results.filter { $0.1.exitCode == 75 }
      // On a busy machine one may start when the first one is done already; it wins as well, but not together with it.
      #expect(!winners.isEmpty)
      #expect(winners.count + losers.count == 20, "\(results.map { $0.1.end })")
      for (_, loser) in losers {
        #expect(winners.contains { loser.errorText.contains("process \($0.0) on ") }, "round \(round): \(loser)")
      }
      try WorkerStage.expectAllRows(stage, 12)
    }
  }

  @Test func `the lock is free at once when its holder is killed, though a stopped decoder lives on`() async throws {
    let stage = try WorkerStage.many(60)
    let (result, decoders) = try await onOwnThread { () throws in
      let running = try stage.command(["-j", "2"]).start()
      #expect(ProcessTable.waits { ProcessTable.decoders(of: running.processID).count == 2 })
      let decoders = ProcessTable.decoders(of: running.processID)
      for decoder in decoders { kill(decoder, SIGSTOP) }
      for decoder in decoders { #expect(!Self.holdsLock(decoder, of: stage)) }
      running.send(SIGKILL)
      let next = try stage.command(["-j", "2"]).runBlocking()
      _ = running.finish()
      return (next, decoders)
    }
    defer { for decoder in decoders { kill(decoder, SIGKILL) } }
    #expect(result.exitCode == 0, "\(result)")
    try WorkerStage.expectAllRows(stage, 60)
  }

  private static func holdsLock(_ pid: Int32, of stage: RunStage) -> Bool {
    ProcessTable.descriptors(of: pid).contains { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(number)"))?
        .hasSuffix("/.photo-ingest/lock") == true
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `another user's lock that may be read only still keeps two runs apart`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [.folder(".photo-ingest", [.text("lock", "")])])])
    try stage.openToAll()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: stage.output + "/.photo-ingest/lock")
    let command = Unprivileged.command(stage.command())
    #expect(try await command.run().exitCode == 0)
    let holder = Command(
      "/usr/bin/flock", [stage.output + "/.photo-ingest/lock", "sh", "-c", "echo held; exec sleep 60"])
    try await onOwnThread { () throws in
      let running = try holder.start()
      #expect(running.waitForText("held"))
      #expect(try command.runBlocking().exitCode == 75)
      running.send(SIGKILL, toGroup: true)
      _ = running.finish()
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible && geteuid() == 0, "a file of another user needs root"))
  func `another user's lock that may not be read is an error`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [.folder(".photo-ingest", [.text("lock", "")])])])
    try stage.openToAll()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: stage.output + "/.photo-ingest/lock")
    let refused = try await Unprivileged.command(stage.command()).run()
    #expect(refused.exitCode == 1, "\(refused)")
    #expect(refused.errorText.contains(".photo-ingest/lock: cannot be opened: Permission denied"), "\(refused)")
  }
}
