import IngestCore
import IngestTestSupport
import Testing

/// Holds the exit codes of the built program, and the words that come with them.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ExitCodeTests {
  /// One command line: `IN` and `OUT` stand for the folders of a stage.
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var code: Int32
    var says: String

    init(_ words: String, _ code: Int32, _ says: String = "") {
      self.words = words.split(separator: " ").map(String.init)
      self.code = code
      self.says = says
    }

    var testDescription: String { "\(words.joined(separator: " ")) -> \(code)" }
  }

  private func run(_ entry: Case, in stage: RunStage) async throws -> CommandResult {
    let words = entry.words.map { word in
      word.replacing("IN", with: stage.source, maxReplacements: 1)
        .replacing("OUT", with: stage.output, maxReplacements: 1)
    }
    return try await Command(BuiltProgram.path, words).run()
  }

  @Test(arguments: [
    Case("run IN/good -o OUT", 0, "2 photos, all verified"), Case("IN/good --output OUT", 0, "2 photos, all verified"),
    Case("run IN/empty -o OUT", 0, "no photos"), Case("run IN/good -o OUT -q", 0),
    Case("run IN/bad -o OUT", 3, "1 photo: 1 failed"), Case("run IN -o OUT", 3, "3 photos: 2 verified, 1 failed"),
    Case("run IN/bad -o OUT -q", 3, "failed x.jpg"), Case("run IN/nothing -o OUT", 1, "No such file or directory"),
    Case("run IN/good -o IN/good/a.jpg", 1, "Not a directory"),
    Case("run IN/bad -o OUT --on-error stop", 1, "as asked"),
    Case("run IN/good -o OUT --dry-run", 0, "2 candidates; nothing was read or written"),
    Case("run IN/bad -o OUT -n", 0),
    Case("inspect IN/good/a.jpg", 0), Case("inspect IN/bad/x.jpg IN/good/a.jpg", 3), Case("inspect IN/nothing.jpg", 3),
    Case("export --format json OUT", 1, "manifest.jsonl"), Case("verify OUT", 1, "manifest.jsonl"),
    Case("export --format bagit OUT", 1, "manifest.jsonl"), Case("help", 0), Case("help run", 0), Case("--help", 0),
    Case("--version", 0), Case("run --help", 0),
  ])
  func `K3: a command ends with the code that its outcome has`(entry: Case) async throws {
    let stage = try stage()
    let result = try await run(entry, in: stage)
    #expect(result.end == .exited(entry.code), "\(result)")
    #expect(result.errorText.contains(entry.says), "\(result)")
  }

  @Test(arguments: [
    Case("", 2, "usage"), Case("run", 2, "FOLDER"), Case("run IN", 2, "--output DIR"),
    Case("run IN -o", 2, "DIR is missing"), Case("run IN -o OUT --thumbnails 3", 2, "did you mean \"--thumbnail\"?"),
    Case("run IN -o OUT --thumb 3", 2, "no option of that name"), Case("rum IN -o OUT", 2, "did you mean \"run\"?"),
    Case("run IN -o OUT --order nam", 2, "did you mean \"name\"?"), Case("run IN -o OUT -j 0", 2, "1 through 64"),
    Case("run IN -o OUT -j 65", 2, "1 through 64"), Case("run IN -o OUT -j two", 2, "whole number"),
    Case("run IN -o OUT --thumbnail -3", 2, "--thumbnail"),
    Case("run IN -o OUT --max-errors 101%", 2, "0% through 100%"),
    Case("run IN -o OUT --max-errors x", 2, "--max-errors"), Case("run IN -o OUT --max-pixels 1G", 2, "--max-pixels"),
    Case("run IN -o OUT --timeout 0", 2, "--timeout"), Case("run IN -o OUT --include [a", 2, "--include"),
    Case("run IN -o OUT --manifest json,xml", 2, "\"xml\" is none of"),
    Case("run IN -o OUT --dry-run=yes", 2, "no value"),
    Case("run IN -o OUT --config IN/bad/x.jpg", 2, "not JSON"), Case("run IN -o OUT --log-file IN", 2, "--log-file"),
    Case("run IN IN -o OUT", 2, "is the same folder as"),
    Case("run IN -o OUT --lock wiat", 2, "did you mean \"wait\"?"),
    Case("run IN -o OUT --originals move", 2, "is none of none, copy, symlink"),
    Case("run IN -o OUT --prune", 2, "needs --originals"), Case("run IN -o OUT --everything", 2, "needs --originals"),
    Case("run IN -o OUT --max-fetch 0", 2, "--max-fetch"), Case("verify", 2, "DIR"),
    Case("verify OUT --json=yes", 2, "no value"), Case("export --format bagit -o x OUT", 2, "DIR/bag"),
    Case("publish --config x OUT", 2, "--config"), Case("publish OUT", 2, "--config FILE"), Case("inspect", 2, "FILE"),
    Case("export OUT", 2, "--format F"),
    Case("export --format xml OUT", 2, "none of"), Case("export --format json", 2, "DIR"),
    Case("export --format json OUT OUT", 2, "too many"), Case("help nothing", 2, "no help topic"),
  ])
  func `wrong usage is told in a sentence, ends with 2 and touches nothing`(entry: Case) async throws {
    let stage = try stage()
    let before = try FolderState(of: stage.folder.path)
    let result = try await run(entry, in: stage)
    #expect(result.end == .exited(2), "\(result)")
    #expect(result.errorText.contains(entry.says), "\(result)")
    #expect(result.output.isEmpty, "\(result)")
    #expect(try FolderState(of: stage.folder.path).differences(from: before) == [])
  }

  @Test(arguments: [("--help", "usage"), ("--version", "photo-ingest "), ("help exit-codes", "75")])
  func `help and version are results and go to stdout`(words: String, text: String) async throws {
    let result = try await Command(BuiltProgram.path, words.split(separator: " ").map(String.init)).run()
    #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.outputText.lowercased().contains(text), "\(result)")
    #expect(result.outputText.utf8.last == UInt8(ascii: "\n"))
  }

  @Test func `a folder whose name begins with a dash follows two dashes`() async throws {
    let stage = try RunStage(["-rf/a.jpg"])
    var command = Command(BuiltProgram.path, ["run", "-o", stage.output, "--", "-rf"])
    command.workingFolder = stage.source
    let result = try await command.run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(try stage.paths() == ["a.jpg"])
  }

  private func stage() throws -> RunStage {
    let stage = try RunStage(["good/a.jpg", "good/b.jpg"])
    try stage.folder.add([.folder("in/empty", []), .folder("in/bad", [.text("x.jpg", "words")])])
    return stage
  }
}

/// Ends runs early on failures, by policy.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ErrorPolicyTests {
  private func stage() async throws -> (RunStage, [UInt8]) {
    let stage = try RunStage((0..<7).map { "\($0).jpg" })
    try await stage.run(code: 0)
    for name in ["1x.jpg", "3x.jpg", "5x.jpg"] { try stage.photo(name, Array("words".utf8)) }
    return (stage, try stage.manifest)
  }

  @Test func `B4: without a policy bad files end nothing`() async throws {
    let (stage, _) = try await stage()
    try await stage.run(code: 3)
    let rows = try stage.rows()
    #expect(rows.map(\.path) == ["0", "1", "1x", "2", "3", "3x", "4", "5", "5x", "6"].map { $0 + ".jpg" })
    #expect(rows.map { $0.integer("index") } == Array(0..<10))
  }

  @Test(arguments: [
    ["--on-error", "stop"], ["--max-errors", "2"], ["--max-errors", "0"], ["--max-errors", "29%"],
    ["--max-errors", "29.9%"], ["--on-error", "stop", "--max-errors", "50"],
    ["--on-error", "stop", "--order", "captured"],
  ])
  func `a run over its budget ends with 1 and the old manifest stays byte for byte`(options: [String]) async throws {
    let (stage, old) = try await stage()
    let result = try await stage.run(options, code: 1)
    #expect(result.errorText.contains("the run stopped here, as asked"), "\(result)")
    #expect(try stage.manifest == old)
    #expect(stage.litter() == [])
    let json = try await stage.run(options + ["--json"], code: 1)
    let summary = try #require(try json.records().last)
    #expect(summary.text("record") == "summary")
    #expect(summary.integer("exit_code") == 1)
    #expect(summary["totals"] == nil, "a run that did not complete has no totals")
  }

  @Test(arguments: ["name", "captured"])
  func `one failure is the cause, and every photo that was not told is told as cancelled`(order: String) async throws {
    let (stage, _) = try await stage()
    let all = Set(["0", "1", "1x", "2", "3", "3x", "4", "5", "5x", "6"].map { $0 + ".jpg" })
    let records = try await stage.run(["--on-error", "stop", "--json", "--order", order], code: 1).records()
    let told = records.filter { $0.text("record") == "asset" }
    let cancelled = records.filter { $0.text("record") == "cancelled" }.map(\.path)
    let summary = try #require(records.last)
    let cause = try #require(summary["cause"])
    #expect(cause["path"]?.stringValue == "1x.jpg" && cause["code"]?.stringValue == "not-an-image")
    #expect(summary.integer("cancelled") == cancelled.count)
    #expect(told.map(\.path) == (order == "name" ? ["0.jpg", "1.jpg", "1x.jpg"] : []))
    #expect(told.filter { $0.text("status") != "verified" }.map(\.path) == (order == "name" ? ["1x.jpg"] : []))
    // Each photo is heard of once.
    #expect(told.count + cancelled.count == (order == "name" ? 10 : 9))
    #expect(Set(told.map(\.path)).union(cancelled).union(["1x.jpg"]) == all)
  }

  @Test(arguments: ["3", "30%", "100%", "99"])
  func `a run within its budget completes`(budget: String) async throws {
    let (stage, _) = try await stage()
    try await stage.run(["--max-errors", budget], code: 3)
    #expect(try stage.end().integer("failed") == 3)
  }

  @Test func `photos that are left out as unsupported count for no budget`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.photo("b.gif", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40))
    try await stage.run(["--on-error", "stop", "--unsupported", "skip"], code: 0)
    try await stage.run(["--on-error", "stop"], code: 1)
  }
}
