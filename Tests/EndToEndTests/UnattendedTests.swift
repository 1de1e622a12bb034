import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Runs the program as it runs at night: for cron, for systemd, for a log file, watched by a service.
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct UnattendedTests {
  @Test func `a night in which all is well says nothing at all`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    for _ in 0..<2 {
      let result = try await stage.run(["--cron"], code: 0)
      #expect(result.output == [])
      #expect(result.errors == [])
    }
  }

  @Test func `K4: the first night with a damaged photo tells the story, without what moves or paints`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.photo("cut.jpg", Array(try Pictures.sample("alps/IMG_0001.jpg").prefix(9000)))
    let result = try await stage.run(["--cron", "--progress=always", "--color=auto"], code: 3)
    #expect(result.errorText.contains("cut.jpg: "), "\(result)")
    #expect(!result.errors.contains(0x0D) && !result.errors.contains(0x1B), "\(result)")
    #expect(result.output == [])
  }

  @Test func `a night that failed tells why`() async throws {
    let stage = try RunStage(["a.jpg"])
    try FileManager.default.removeItem(atPath: stage.source)
    let result = try await stage.run(["--cron"], code: 1)
    #expect(result.errorText.contains("source folder"), "\(result)")
  }

  // MARK: The journal

  /// Runs with stderr in a file and JOURNAL_STREAM as systemd would set it, if `isJournal`.
  private func linesOfJournal(_ stage: RunStage, isJournal: Bool, _ options: [String] = []) async throws -> [Substring]
  {
    let file = try stage.folder.file("journal")
    var status = stat()
    try #require(unsafe stat(file, &status) == 0)
    var command = stage.command(options)
    command.errors = .file(file)
    command.environment["JOURNAL_STREAM"] = "\(status.st_dev):\(isJournal ? status.st_ino : status.st_ino + 1)"
    _ = try await command.run()
    return String(decoding: try stage.folder.bytes(of: "journal"), as: UTF8.self).split(separator: "\n")
  }

  @Test func `the journal gets priorities, and a stream that only inherited its name does not`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.photo("text.jpg", Array("words".utf8))
    let lines = try await linesOfJournal(stage, isJournal: true)
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("<4>") }, "\(lines)")
    #expect(try await linesOfJournal(stage, isJournal: true, ["--quiet", "--jobs=x"]).first?.hasPrefix("<3>") == true)
    let others = try await linesOfJournal(stage, isJournal: false)
    #expect(!others.isEmpty)
    #expect(!others.contains { $0.hasPrefix("<") }, "\(others)")
  }

  // MARK: The log file

  @Test func `a log is appended to, and one that was rotated away is begun anew`() async throws {
    let stage = try RunStage(["a.jpg"])
    let log = stage.folder["log"]
    for _ in 0..<2 { try await stage.run(["--log-file", log, "--cron"], code: 0) }
    try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
    try await stage.run(["--log-file", log, "--cron"], code: 0)
    func runs(_ name: String) throws -> Int {
      String(decoding: try stage.folder.bytes(of: name), as: UTF8.self).components(separatedBy: "exit code 0\n").count
        - 1
    }
    #expect(try runs("log.1") == 2)
    #expect(try runs("log") == 1)
  }

  @Test(arguments: [[], ["--quiet"], ["--cron"]])
  func `a log on a full disk is told of on stderr, once, and changes no code`(options: [String]) async throws {
    let stage = try RunStage(["a.jpg"])
    let result = try await stage.run(["--log-file", "/dev/full"] + options, code: 0)
    let told = result.errorText.components(
      separatedBy: "--log-file /dev/full: cannot be written: No space left on device")
    #expect(told.count == 2, "\(result)")
  }

  // MARK: Pings

  private func config(_ stage: RunStage, _ address: String, timeout: Double = 5) throws -> String {
    try stage.folder.file(
      "config.json", Array("{\"ping\": {\"url\": \"\(address)\", \"allow-http\": true, \"timeout\": \(timeout)}}".utf8))
  }

  @Test func `a watching service hears of the begin and of the code`() async throws {
    let stage = try RunStage(["a.jpg"])
    let server = try TinyHTTPServer()
    let file = try config(stage, server.address + "/key?rid=1")
    let result = try await stage.run(["--config", file, "--cron"], code: 0)
    #expect(result.errors == [])
    #expect(server.requests.map(\.path) == ["/key/start?rid=1", "/key/0?rid=1"])
    #expect(server.requests.allSatisfy { $0.method == "POST" })
    #expect(server.requests.last?.body.hasPrefix("1 photo: 1 verified, 0 damaged, 0 failed; ") == true)
    try stage.photo("text.jpg", Array("words".utf8))
    try await stage.run(["--config", file], code: 3)
    #expect(server.requests.map(\.path).last == "/key/3?rid=1")
  }

  @Test(arguments: ["refuses", "is silent", "hangs up", "is not there"])
  func `a service that does not answer changes neither code nor results`(manner: String) async throws {
    let stage = try RunStage(["a.jpg"])
    let server = try TinyHTTPServer { _, _ in
      switch manner {
      case "refuses": .status(404)
      case "is silent": .silence
      default: .hangUp
      }
    }
    let file = try config(
      stage, manner == "is not there" ? "http://127.0.0.1:1/key" : server.address + "/key", timeout: 0.3)
    let result = try await stage.run(["--config", file], code: 0)
    #expect(result.errorText.contains("warning: ping: "), "\(result)")
    #expect(!result.errorText.contains("/key"), "\(result)")
    #expect(try stage.paths() == ["a.jpg"])
    try await #expect(stage.run(["--config", file, "--cron"], code: 0).errors == [])
  }

  @Test func `a run that pings nobody does not load what it would ping with`() async throws {
    let stage = try RunStage(["a.jpg"])
    var command = stage.command()
    command.environment["LD_DEBUG"] = "files"
    command.environment["LD_DEBUG_OUTPUT"] = stage.folder["loader"]
    #expect(try await command.run().exitCode == 0)
    let notes = stage.folder.listing().filter { $0.hasPrefix("loader.") }
    try #require(!notes.isEmpty)
    for note in notes {
      #expect(!String(decoding: try stage.folder.bytes(of: note), as: UTF8.self).contains("libcurl"), "\(note)")
    }
  }
}
