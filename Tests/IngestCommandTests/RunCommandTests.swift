import Ingest
import IngestCore
import Synchronization
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct RunCommandTests {
  @Test func `the short form and the word run ask for the same`() throws {
    for words in [["photos", "-o", "out"], ["run", "photos", "-o", "out"]] {
      let stage = Stage()
      #expect(Command.run(stage.surroundings(words.map { Array($0.utf8) })) == .code(0))
      #expect(stage.engine.configuration?.source == Array("photos".utf8))
      #expect(stage.output.text == "")
      #expect(stage.errors.lines.first == "3 photos, all verified")
    }
  }

  @Test func `a usage error touches nothing and says one line`() {
    let stage = Stage()
    #expect(stage.run("photos", "-o", "out", "--netwrok") == .code(2))
    #expect(stage.engine.configuration == nil)
    #expect(stage.output.text == "")
    #expect(
      stage.errors.text == "photo-ingest: error: --netwrok: no option of that name; did you mean \"--network\"?\n")
  }

  @Test func `a folder whose name looks like a command is taken`() {
    #expect(Stage(folders: ["rn"]).run("rn", "-o", "out") == .code(0))
    #expect(Stage().run("rn", "-o", "out") == .code(2))
    #expect(Stage().run("./rn", "-o", "out") == .code(0))
  }

  @Test func `without a terminal there is no carriage return and no escape anywhere`() {
    let stage = Stage(
      engine: ScriptedEngine { _, report in
        report(.scanned(count: 1))
        report(.progressed(finished: 1, of: 1, path: RelativePath("a\r\u{1B}/b"), status: .damaged))
        report(.asset(line: [], row: .cut))
        return .sample(problems: [.cut])
      })
    #expect(stage.run("photos", "-o", "out", "-v", "--progress", "always") == .code(3))
    #expect(!stage.errors.bytes.contains { $0 == 0x0D || $0 == 0x1B })
  }

  @Test func `a reader that goes away changes no code`() {
    let engine = ScriptedEngine { _, report in
      report(.asset(line: Array("{}\n".utf8), row: .cut))
      return .sample(problems: [.cut])
    }
    let stage = Stage(output: Recorder(isBroken: true), errors: Recorder(isBroken: true), engine: engine)
    #expect(stage.run("photos", "-o", "out", "--json") == .code(3))
  }

  @Test(arguments: [
    ["photos", "-o", "out", "--json"], ["export", "--format", "csv", "out"], ["inspect", "a.jpg"], ["--help"],
  ])
  func `a result that a full disk cut off is not complete`(words: [String]) {
    let full = Recorder(lossReason: "No space left on device")
    let engine = ScriptedEngine(rows: [AssetRow(path: RelativePath("a.jpg"), status: .verified)], pieces: [[0x61]])
    let stage = Stage(output: full, engine: engine)
    #expect(Command.run(stage.surroundings(words.map { Array($0.utf8) })) == .code(1))
    #expect(
      stage.errors.lines.last == "photo-ingest: error: standard output: cannot be written: No space left on device")
  }

  @Test func `JSON goes to stdout and nothing else does`() {
    let stage = Stage(
      engine: ScriptedEngine { _, report in
        report(.scanned(count: 1))
        report(.message(.warning, "w"))
        return .sample()
      })
    #expect(stage.run("photos", "-o", "out", "--json") == .code(0))
    #expect(stage.output.lines.allSatisfy { $0.hasPrefix("{") && $0.contains("\"record\":") })
    #expect(stage.output.lines.last?.contains("\"exit_code\":0") == true)
    #expect(stage.errors.text == "warning: w\n")
  }

  @Test func `a failure ends with one sentence and code 1`() {
    let stage = Stage(
      engine: ScriptedEngine { _, _ throws(RunError) in
        throw .sourceUnusable(.missing(Array("photos".utf8)))
      })
    #expect(stage.run("photos", "-o", "out") == .code(1))
    #expect(
      stage.errors.text
        == "photo-ingest: error: source folder photos: cannot be opened: No such file or directory\n")
  }

  @Test func `a log that cannot be opened is refused before anything starts`() {
    let stage = Stage()
    var surroundings = stage.surroundings(["photos", "-o", "out", "--log-file", "x/y"].map { Array($0.utf8) })
    surroundings.openLog = { _ in throw Stage.NoSuchFile(description: "x/y: cannot be opened: Not a directory") }
    #expect(Command.run(surroundings) == .code(2))
    #expect(stage.engine.configuration == nil)
    #expect(stage.errors.text == "photo-ingest: error: --log-file: x/y: cannot be opened: Not a directory\n")
  }
}

@Suite(.timeLimit(.minutes(1))) struct DryRunTests {
  private let paths = [RelativePath("a.jpg"), RelativePath([0x62, 0x0A, 0xFF])]

  @Test func `candidates are lines of raw bytes`() {
    let stage = Stage(engine: ScriptedEngine(candidates: paths))
    #expect(stage.run("photos", "-o", "out", "-n") == .code(0))
    #expect(stage.output.bytes == Array("a.jpg\n".utf8) + [0x62, 0x0A, 0xFF, 0x0A])
    #expect(stage.errors.text == "2 candidates; nothing was read or written\nleft out: 2 hidden\n")
  }

  @Test func `with null they end in NUL`() {
    let stage = Stage(engine: ScriptedEngine(candidates: paths))
    #expect(stage.run("photos", "-o", "out", "-n0", "-q") == .code(0))
    #expect(stage.output.bytes == Array("a.jpg\u{0}".utf8) + [0x62, 0x0A, 0xFF, 0x00])
    #expect(stage.errors.text == "")
  }

  @Test func `on a terminal a name cannot steer the screen`() {
    let stage = Stage(
      output: Recorder(terminal: 80), engine: ScriptedEngine(candidates: [RelativePath("\u{1B}[2J\n.jpg")]))
    #expect(stage.run("photos", "-o", "out", "-n") == .code(0))
    #expect(stage.output.text == "\\x1b[2J\\n.jpg\n")
  }

  @Test func `as JSON they are records`() {
    let stage = Stage(engine: ScriptedEngine(candidates: paths, unreadableFolders: 1))
    #expect(stage.run("photos", "-o", "out", "-n", "--json") == .code(3))
    #expect(
      stage.output.text == #"""
        {"path":"a.jpg","record":"candidate"}
        {"path":"b\n�","path_b64":"Ygr/","record":"candidate"}
        {"exit_code":3,"left_out":{"hidden":2},"record":"summary","unreadable_folders":1}

        """#)
  }
}

@Suite(.timeLimit(.minutes(1))) struct SignalTests {
  /// Plays the kernel: keeps the listener, and what the process was told.
  final class Kernel: Sendable {
    struct State {
      var listener: (@Sendable (Int32) -> Void)?
      var deaths: [Int32] = []
      var delayed: [(Duration, @Sendable () -> Void)] = []
    }
    let state = Mutex(State())

    func send(_ signal: Int32) {
      let listener = state.withLock { $0.listener }
      listener?(signal)
    }

    var deaths: [Int32] { state.withLock { $0.deaths } }

    func attach(_ surroundings: inout Surroundings) {
      surroundings.watchSignals = { listener in
        self.state.withLock { $0.listener = listener }
        return nil
      }
      surroundings.dieAtOnce = { signal in self.state.withLock { $0.deaths.append(signal) } }
      surroundings.afterDelay = { delay, action in self.state.withLock { $0.delayed.append((delay, action)) } }
    }
  }

  private func run(_ stage: Stage, _ kernel: Kernel) -> Ending {
    var surroundings = stage.surroundings(["photos", "-o", "out"].map { Array($0.utf8) })
    kernel.attach(&surroundings)
    return Command.run(surroundings)
  }

  @Test(arguments: [1, 2, 15] as [Int32]) func `the first signal cancels the run, which dies by it`(signal: Int32) {
    let kernel = Kernel()
    let stage = Stage(
      engine: ScriptedEngine { control, _ throws(RunError) in
        kernel.send(signal)
        guard control.isCancelled else { return .sample() }
        throw .cancelled
      })
    #expect(run(stage, kernel) == .signal(signal))
    #expect(kernel.deaths == [])
    #expect(stage.errors.lines.count == 1)
    #expect(stage.errors.text.hasPrefix("photo-ingest: error: stopped by SIG"))
  }

  @Test func `a second signal ends it at once, and the first one gives the name`() {
    let kernel = Kernel()
    let stage = Stage(
      engine: ScriptedEngine { _, _ throws(RunError) in
        kernel.send(2)
        kernel.send(15)
        throw .cancelled
      })
    #expect(run(stage, kernel) == .signal(2))
    #expect(kernel.deaths == [15])
  }

  @Test func `a run that does not hear its cancellation is given up within five seconds`() {
    let kernel = Kernel()
    let stage = Stage(
      engine: ScriptedEngine { _, _ in
        kernel.send(15)
        let (delay, action) = kernel.state.withLock { $0.delayed[0] }
        #expect(delay < .seconds(5))
        #expect(kernel.deaths == [])
        action()
        return .sample()
      })
    #expect(run(stage, kernel) == .signal(15))
    #expect(kernel.deaths == [15])
  }

  @Test func `a signal goes before every code`() {
    let kernel = Kernel()
    let stage = Stage(
      engine: ScriptedEngine { _, _ in
        kernel.send(2)
        return .sample(problems: [.cut])
      })
    #expect(run(stage, kernel) == .signal(2))
    #expect(stage.errors.text.hasSuffix("SIGINT came when the run was complete\n"))
  }

  @Test func `before there is anything to tidy up a signal ends the program at once`() {
    let kernel = Kernel()
    let stage = Stage()
    var surroundings = stage.surroundings(["photos", "-o", "out", "--files-from", "-"].map { Array($0.utf8) })
    kernel.attach(&surroundings)
    surroundings.readFile = { _, _ in
      kernel.send(2)
      #expect(kernel.deaths == [2])
      return []
    }
    _ = Command.run(surroundings)
  }
}
