import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Stops runs from outside while they are at work.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct SignalTests {
  /// Photos of real size: some seconds of work.
  private static let photos = 200

  private func stage() throws -> RunStage {
    let stage = try RunStage()
    let samples = try ["alps/IMG_0001.jpg", "harbour/DSC_2.jpg", "still-life.jpg"].map { try Pictures.sample($0) }
    for index in 0..<Self.photos { try stage.photo("\(index).jpg", samples[index % samples.count]) }
    return stage
  }

  /// Starts a run, and sends the signal when the first photo has been told.
  private func interrupt(_ command: Command, with signals: Int32...) async throws -> (CommandResult, Duration) {
    try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      #expect(running.waitForText("\"record\":\"asset\""))
      let clock = ContinuousClock()
      let sent = clock.now
      for signal in signals { running.send(signal) }
      let result = running.finish()
      return (result, clock.now - sent)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the run by that signal within five seconds, and nothing is half there`(signal: Int32) async throws
  {
    let stage = try stage()
    let (result, time) = try await interrupt(stage.command(["--json", "-j", "2"]), with: signal)
    #expect(result.end == .signalled(signal), "\(result.end) \(result.errorText)")
    #expect(time < .seconds(5), "\(time)")
    let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal] ?? ""
    #expect(result.errorText == "photo-ingest: error: stopped by \(name); an earlier manifest is untouched\n")
    let summary = try #require(try result.records().last)
    #expect(summary.text("record") == "summary")
    #expect(summary.integer("exit_code") == Int(128 + signal))

    let state = try FolderState.ofOutput(stage.output)
    #expect(!state.names.contains { $0.hasPrefix("manifest") })
    #expect(stage.litter() == [])
    let thumbnails = state.entries.filter { $0.value.mode & S_IFMT == S_IFREG }
    #expect(!thumbnails.isEmpty && thumbnails.count < Self.photos)
    for (name, entry) in thumbnails {
      let isWhole = entry.content.starts(with: [0xff, 0xd8]) && entry.content.suffix(2) == [0xff, 0xd9]
      #expect(isWhole, "\(String(decoding: name, as: UTF8.self)) is cut")
    }
  }

  @Test func `an old manifest outlives the signal, and the next run ends as if nothing had been`() async throws {
    let stage = try stage()
    try await stage.run(["--include", "?.jpg", "--manifest", "json,csv,sha256"], code: 0)
    let old = try FolderState.ofOutput(stage.output)
    let (result, _) = try await interrupt(stage.command(["--json"]), with: SIGTERM)
    #expect(result.end == .signalled(SIGTERM))
    let after = try FolderState.ofOutput(stage.output)
    for (name, entry) in old.entries where entry.mode & S_IFMT == S_IFREG {
      #expect(after.entries[name] == entry, "\(String(decoding: name, as: UTF8.self))")
    }
    try await stage.run(["--include", "?.jpg", "--manifest", "json,csv,sha256"], code: 0)
    #expect(try FolderState.ofOutput(stage.output).contents == old.contents)
  }

  @Test func `a second signal ends the run at once`() async throws {
    let stage = try stage()
    let (result, time) = try await interrupt(stage.command(["--json"]), with: SIGTERM, SIGINT)
    #expect(result.end == .signalled(SIGINT) || result.end == .signalled(SIGTERM), "\(result.end)")
    #expect(time < .seconds(2), "\(time)")
    #expect(!stage.folder.listing().contains { $0.hasPrefix("out/manifest") })
  }

  @Test func `a hangup that was ignored on entry, as nohup does, stays ignored`() async throws {
    let stage = try RunStage((0..<40).map { "\($0).jpg" })
    let (result, _) = try await interrupt(stage.command(["--json", "-j", "1"]).after("trap '' HUP"), with: SIGHUP)
    #expect(result.end == .exited(0), "\(result)")
    #expect(try stage.end().integer("verified") == 40)
  }

  @Test func `a run that waits for its list on standard input ends at once`() async throws {
    let stage = try RunStage(["a.jpg"])
    // A FIFO that nobody writes to stands for a standard input that never ends.
    let pipe = stage.folder["pipe"]
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let command = stage.command(["--files-from", "-", "--log-file", stage.folder["log"]])
      .after("echo waiting >&2; exec <>\"\(pipe)\"")
    let result = try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      running.waitForText("waiting")
      running.send(SIGTERM)
      return running.finish()
    }
    #expect(result.end == .signalled(SIGTERM), "\(result)")
    #expect(!stage.isOutputMade)
  }

  @Test func `J9: a killed run leaves whole files only, and the next run sweeps what it left aside`() async throws {
    let stage = try stage()
    let (result, _) = try await interrupt(stage.command(["--json"]), with: SIGKILL)
    #expect(result.end == .signalled(SIGKILL))
    let state = try FolderState.ofOutput(stage.output)
    #expect(!state.names.contains { $0.hasPrefix("manifest") })
    for (name, entry) in state.entries where entry.mode & S_IFMT == S_IFREG {
      #expect(entry.content.suffix(2) == [0xff, 0xd9], "\(String(decoding: name, as: UTF8.self)) is cut")
    }
    try await stage.run(["--include", "?.jpg"], code: 0)
    #expect(stage.litter() == [])
    let thumbnails = stage.folder.listing().filter { $0.hasPrefix("out/thumbnails") && $0.hasSuffix(".jpg") }
    #expect(thumbnails.count == 10)
  }
}
