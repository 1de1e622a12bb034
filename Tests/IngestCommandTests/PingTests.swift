import IngestCore
import IngestTestSupport
import Testing

@testable import Ingest
@testable import IngestCommand

/// Follows the pings of a run from the configuration file to what is told.
@Suite(.timeLimit(.minutes(1))) struct PingTests {
  private static let config = "{\"ping\": {\"url\": \"https://hc.example/secret\"}}"

  /// Runs and returns the pings, in order.
  private static func pings(
    _ stage: Stage, _ words: [String] = [], answer: String? = nil
  ) -> (ending: Ending, pings: [Ping]) {
    let sent = Guarded<[Ping]>([])
    var surroundings = stage.surroundings(
      (["run", "in", "-o", "out", "--config", "c.json"] + words).map { Array($0.utf8) })
    surroundings.ping = { ping in
      sent.withLock { $0.append(ping) }
      return answer
    }
    let ending = Command.run(surroundings)
    return (ending, sent.withLock { $0 })
  }

  private static func stage(_ config: String = config, engine: ScriptedEngine = ScriptedEngine(script: story)) -> Stage
  {
    Stage(engine: engine, files: ["c.json": Array(config.utf8)])
  }

  @Sendable private static func story(_ control: CollectionControl, _ report: IngestRun.Report) -> RunSummary {
    report(.scanned(count: 4))
    return .sample(problems: [.cut])
  }

  @Test func `a run tells its begin and its code, with figures and without names`() {
    let (ending, pings) = Self.pings(Self.stage())
    #expect(ending == .code(3))
    #expect(pings.map(\.moment) == [.start, .end(code: 3)])
    #expect(pings.map(\.address) == ["https://hc.example/secret/start", "https://hc.example/secret/3"])
    #expect(pings.last?.note == "4 photos: 3 verified, 1 damaged, 0 failed; 1.5 s\nexit code 3\n")
  }

  @Test(arguments: [
    ("https://h/p", "https://h/p/0"), ("https://h/p//", "https://h/p/0"), ("https://h/p/?a=b?c", "https://h/p/0?a=b?c"),
    ("https://h", "https://h/0"),
  ])
  func `the word of the moment goes behind the path`(address: String, wanted: String) {
    #expect(Ping(PingTarget(address: address), .end(code: 0)).address == wanted)
  }

  @Test func `a ping that is not taken is a warning and changes no code`() {
    let stage = Self.stage()
    let (ending, pings) = Self.pings(stage, answer: "Could not resolve host: hc.\u{1b}example")
    #expect(ending == .code(3))
    #expect(pings.count == 2)
    let told = stage.errors.lines.filter { $0.hasPrefix("warning: ping: ") }
    #expect(told == Array(repeating: "warning: ping: Could not resolve host: hc.\\x1bexample", count: 2))
    #expect(!stage.errors.text.contains("secret"))
  }

  @Test(arguments: ["--cron", "--quiet"]) func `a silent run stays silent about its pings`(word: String) {
    let stage = Self.stage(
      engine: ScriptedEngine { _, report in
        report(.scanned(count: 3))
        return .sample()
      })
    let (ending, pings) = Self.pings(stage, [word], answer: "no")
    #expect(ending == .code(0))
    #expect(pings.count == 2)
    #expect(stage.errors.bytes == [])
  }

  @Test func `a run that does not begin tells its end only`() {
    let failed = Self.stage(
      engine: ScriptedEngine { _, _ throws(RunError) in throw .sourceUnusable(.missing(Array("in".utf8))) })
    #expect(Self.pings(failed).pings.map(\.moment) == [.end(code: 1)])
    let locked = ScriptedEngine { _, _ throws(RunError) in throw .locked(output: [], by: nil, waited: nil) }
    #expect(Self.pings(Self.stage(engine: locked)).pings.map(\.moment) == [.end(code: 75)])
    #expect(Self.pings(Self.stage(engine: locked), ["--lock=skip"]).pings == [])
  }

  @Test func `a run whose output is lost tells the code with which it ends`() {
    var stage = Self.stage(
      engine: ScriptedEngine { _, report in
        report(.scanned(count: 3))
        return .sample()
      })
    stage.output = Recorder(lossReason: "No space left on device")
    let (ending, pings) = Self.pings(stage, ["--json", "--manifest=prometheus"])
    #expect(ending == .code(1))
    #expect(pings.map(\.moment) == [.start, .end(code: 1)])
    #expect(stage.engine.lastFigures?.exitCode == 1)
  }

  @Test(arguments: [true, false])
  func `the end waits for the begin, after a signal for a second at most`(isStopped: Bool) {
    let stage = Self.stage(
      engine: ScriptedEngine { control, report throws(RunError) in
        report(.scanned(count: 3))
        guard control.isCancelled else { return .sample() }
        throw .cancelled
      })
    var surroundings = stage.surroundings(["run", "in", "-o", "out", "--config", "c.json"].map { Array($0.utf8) })
    let waits = Guarded<[Duration?]>([])
    let sent = Guarded<[Ping]>([])
    surroundings.ping = { ping in
      sent.withLock { $0.append(ping) }
      return nil
    }
    // A thread that does not come to anything.
    surroundings.onOwnThread = { _ in { limit in waits.withLock { $0.append(limit) } } }
    let listener = Guarded<(@Sendable (Int32) -> Void)?>(nil)
    surroundings.watchSignals = { heard in
      listener.withLock { $0 = heard }
      return nil
    }
    if isStopped {
      surroundings.clock = {
        listener.withLock { $0 }?(15)
        return .zero
      }
    }
    let ending = Command.run(surroundings)
    #expect(ending == (isStopped ? .signal(15) : .code(0)))
    #expect(waits.withLock { $0 } == [isStopped ? .seconds(1) : nil])
    let pings = sent.withLock { $0 }
    #expect(pings.map(\.moment) == [.end(code: isStopped ? 143 : 0)])
    #expect(pings.map(\.target.timeLimit) == [isStopped ? .seconds(2) : .seconds(5)])
  }

  @Test func `dry runs, wrong usage and runs without the key tell nobody`() {
    #expect(Self.pings(Self.stage(), ["-n"]).pings == [])
    #expect(Self.pings(Self.stage(), ["--jbos=2"]).pings == [])
    #expect(Self.pings(Self.stage("{}")).pings == [])
  }

  @Test func `the target may be one of one's own, with a limit of one's own`() throws {
    let stage = Self.stage("{\"ping\": {\"url\": \"http://10.0.0.1/x\", \"allow-http\": true, \"timeout\": 1.5}}")
    let target = try #require(Self.pings(stage).pings.first?.target)
    #expect(target.address == "http://10.0.0.1/x")
    #expect(target.allowsHTTP)
    #expect(target.timeLimit == .milliseconds(1500))
  }

  @Test(arguments: [
    ("1", "\"ping\": an object is wanted, not a number"), ("{}", "\"ping\": the key url is missing"),
    ("{\"url\": 1}", "\"url\": a string is wanted, not a number"),
    ("{\"ulr\": \"\"}", "\"ping\": no key ulr; did you mean url?"),
    ("{\"url\": \"ftp://secret\"}", "\"url\": an address like https://host/path is wanted"),
    ("{\"url\": \"https:///secret\"}", "\"url\": an address like https://host/path is wanted"),
    ("{\"url\": \"https://secret/#x\"}", "\"url\": an address that is asked for has no part behind #"),
    ("{\"url\": \"https://sec ret\"}", "\"url\": an address holds no blanks and no control characters"),
    (
      "{\"url\": \"http://secret\"}",
      "\"url\": everybody on the way can read http; write \"allow-http\": true beside it if that is meant"
    ),
    ("{\"url\": \"https://s\", \"timeout\": 0}", "\"timeout\": out of range: more than 0 through 60 seconds"),
    ("{\"url\": \"https://s\", \"allow-http\": 1}", "\"allow-http\": true or false is wanted, not a number"),
  ])
  func `what is wrong with the key is said with its line and without the address`(value: String, sentence: String) {
    let stage = Self.stage("{\n\"ping\": \(value)}")
    #expect(stage.refusal(["run", "in", "-o", "out", "--config", "c.json"]) == "c.json:2: " + sentence)
  }
}
