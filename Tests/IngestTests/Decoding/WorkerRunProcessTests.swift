import IngestCore
import IngestTestSupport
import Testing
import Workers

@testable import Ingest

/// Runs the main job with decoder programs that die or do not start.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct WorkerRunProcessTests {
  private struct Told {
    var result: Result<RunSummary, RunError>
    /// Code of each row in order, nil where verified.
    var codes: [String?]
    var messages: [String]
    var hasManifest: Bool
  }

  private func run(
    _ script: String, photos: Int = 6, _ change: @escaping @Sendable (inout RunConfiguration) -> Void = { _ in }
  ) async throws -> Told {
    let folder = try TemporaryFolder([.folder("in", [])])
    let program = try folder.script("decoder", script)
    for index in 0..<photos {
      try folder.copy("\(DecodedSamples.folder)/pebbles.jpg", as: "in/\(index).jpg")
    }
    let codes = Guarded<[String?]>([])
    let messages = Guarded<[String]>([])
    let result = await onOwnThread {
      var configuration = RunConfiguration(source: Array(folder["in"].utf8), output: Array(folder["out"].utf8))
      configuration.workers = .processes
      configuration.workerProgram = program
      change(&configuration)
      return Result { () throws(RunError) in
        try IngestRun(configuration).run(control: CollectionControl()) { event in
          switch event {
          case .asset(_, let row): codes.withLock { $0.append(row.error?.code.rawValue) }
          case .message(_, let text): messages.withLock { $0.append(text) }
          case .scanned, .degraded, .progressed, .read, .vanished, .cancelled: break
          }
        }
      }
    }
    return Told(
      result: result, codes: codes.withLock { $0 }, messages: messages.withLock { $0 },
      hasManifest: folder.listing().contains("out/manifest.jsonl"))
  }

  private static let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -KILL $$"

  @Test func `a photo that kills two decoders has its row, in its place, and the others are right`() async throws {
    // The first photo is good; the second meets two decoders that die.
    let good = "\(DecoderScript.decode)"
    let told = try await run(DecoderScript.starts([Self.dying, Self.dying, good]))
    #expect(told.codes == ["decoder-crashed", nil, nil, nil, nil, nil])
    #expect(try told.result.get().totals.verified == 5)
    #expect(told.messages == [])
  }

  @Test func `a photo that kills one decoder is right in the next`() async throws {
    let told = try await run(DecoderScript.starts([Self.dying, DecoderScript.decode]))
    #expect(told.codes == Array(repeating: nil, count: 6))
  }

  @Test(arguments: [1, 4]) func `a run without any decoder ends with one sentence, not with failed rows`(
    jobs: Int
  ) async throws {
    let told = try await run("exit 7", photos: 100) { $0.jobs = jobs }
    guard case .failure(.noDecoder(let reason)) = told.result else {
      Issue.record("\(told.result)")
      return
    }
    #expect(reason == "the decoder process ended before it was ready: exit code 7")
    #expect(told.codes == [])
    #expect(!told.hasManifest)
  }

  @Test(arguments: [1, 4]) func `decoders that hang before they are ready end the run when three have in a row`(
    jobs: Int
  ) async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let told = try await run("exec sleep 600", photos: 20) {
      $0.jobs = jobs
      $0.limits.timeout = .seconds(1)
    }
    guard case .failure(.noDecoder(let reason)) = told.result else {
      Issue.record("\(told.result)")
      return
    }
    #expect(reason == "the decoder process was not ready after 1 seconds, 3 times in a row")
    #expect(told.codes == [])
    #expect(!told.hasManifest)
    // No measure of speed: one wait of twenty seconds would be over the limit.
    #expect(clock.now - began < .seconds(20))
  }

  @Test func `two decoders that hang cost a run nothing but time`() async throws {
    let told = try await run(DecoderScript.starts(["exec sleep 600", "exec sleep 600", DecoderScript.decode])) {
      $0.limits.timeout = .seconds(1)
    }
    #expect(told.codes == Array(repeating: nil, count: 6))
  }

  @Test func `a decoder program that is not there ends the run`() async throws {
    let told = try await run("") { $0.workerProgram = "/nonexistent/photo-ingest" }
    guard case .failure(.noDecoder(let reason)) = told.result else {
      Issue.record("\(told.result)")
      return
    }
    #expect(reason == "no decoder process can be started: No such file or directory")
  }

  @Test func `threads that find no decoder leave their photos to those that have one`() async throws {
    // One start succeeds, and no other.
    let once = "mkdir \"$0.taken\" 2>/dev/null || exit 9; \(DecoderScript.decode)"
    let told = try await run(once, photos: 20) { $0.jobs = 4 }
    #expect(told.codes == Array(repeating: nil, count: 20))
    #expect(
      told.messages == [
        "the run goes on with fewer decoders than asked for: "
          + "the decoder process ended before it was ready: exit code 9"
      ])
  }

  @Test func `a run whose decoders can be replaced no more ends when the last is gone`() async throws {
    let told = try await run(DecoderScript.starts([Self.dying, "exit 9"]))
    guard case .failure(.noDecoder) = told.result else {
      Issue.record("\(told.result)")
      return
    }
    #expect(!told.hasManifest)
  }

  @Test func `a refused measure ends the run where it is required, and leaves its owner's control alone`() async throws
  {
    let refusing = "\(DecoderScript.say(WorkerFrame(.ready, [SandboxMeasure.noCore.rawValue]))); exec sleep 60"
    let told = try await run(refusing) { configuration in
      configuration.requiresSandbox = true
      configuration.jobs = 2
    }
    guard case .failure(.sandboxRefused(let parts)) = told.result else {
      Issue.record("\(told.result)")
      return
    }
    #expect(parts == ["no core dumps"])
    #expect(told.messages == [] && !told.hasManifest)
  }

  @Test func `a run that is cancelled while its decoders start ends as cancelled`() async throws {
    let folder = try TemporaryFolder([.folder("in", [])])
    try folder.copy("\(DecodedSamples.folder)/pebbles.jpg", as: "in/a.jpg")
    let program = try folder.script("decoder", "touch \"$0.started\"; exec sleep 60")
    let control = CollectionControl()
    async let result = onOwnThread {
      var configuration = RunConfiguration(source: Array(folder["in"].utf8), output: Array(folder["out"].utf8))
      configuration.workers = .processes
      configuration.workerProgram = program
      return Result { () throws(RunError) in try IngestRun(configuration).run(control: control) { _ in } }
    }
    #expect(await onOwnThread { ProcessTable.waits { folder.listing().contains("decoder.started") } })
    let clock = ContinuousClock()
    let cancelled = clock.now
    control.cancel()
    guard case .failure(.cancelled) = await result else {
      Issue.record("the run did not end as cancelled")
      return
    }
    #expect(clock.now - cancelled < .seconds(3))
  }
}
